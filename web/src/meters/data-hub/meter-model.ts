import type { Data } from '@gridmast/contract/call.ts'
import type { meterGraph } from '@gridmast/contract/meters/data-hub.ts'
import type { Series } from '@gridmast/contract/series.ts'
import { dayBounds, type Span, today } from '@gridmast/contract/time.ts'
import type { ChartModel, ChartSeries, Gap } from '#ui/Chart/model.ts'
import { describeGaps, isOneDay } from '#ui/Chart/shape.ts'
import { endsOf, type Period } from './meter-words.ts'

export type MeterData = Data<typeof meterGraph>
export type ChartQuantity = 'consumption' | 'co2'

const readValues = (series: Series | undefined) => series?.y.filter((value) => value !== null) ?? []

/** Small values have more decimals. */
const kwhDecimals = (series: Series | undefined): number => {
  const most = Math.max(0, ...readValues(series).map(Math.abs))
  return most >= 100 ? 1 : most >= 10 ? 2 : 3
}

/** Neighbouring slots as one span. */
const joined = (spans: readonly Span[]): Span[] =>
  spans.reduce<Span[]>((all, span) => {
    const last = all.at(-1)
    if (last?.toMs === span.fromMs) return [...all.slice(0, -1), { fromMs: last.fromMs, toMs: span.toMs }]
    return [...all, span]
  }, [])

type View = { period: Period; quantity: ChartQuantity; nowMs: number; words: { missing: string } }

/** Consumption or emission as columns, the cost as a line on its own axis; the tooltip and the table have the other values. */
export const meterModel = ({ graph, readings }: Pick<MeterData, 'graph' | 'readings'>, of: View): ChartModel => {
  const { period, quantity, nowMs, words } = of
  const { by, span } = period
  const isDay = isOneDay(span)
  const named = (name: string) => graph.find((series) => series.name === name)
  const consumption = named('consumption')
  const x = consumption?.x ?? []
  const ends = endsOf(x, period)
  const slots = x.map((fromMs, i) => ({ fromMs, toMs: ends[i] ?? fromMs }))
  const estimated = joined(slots.filter((_, i) => readings?.[i]?.quality === 'estimated'))
  const cost = named('cost')
  const kwh = kwhDecimals(consumption)

  const drawnWhere = (isDrawn: boolean) => (isDrawn ? {} : { drawn: false as const })
  const column = (
    series: Series | undefined,
    look: Omit<ChartSeries, keyof Series> & { name: string },
  ): ChartSeries[] => (series ? [{ ...series, ends, ...look }] : [])
  const price = consumption?.y.map((used, i) => {
    const dkk = cost?.y[i] ?? null
    return used && dkk !== null ? dkk / used : null
  })
  const isEnergy = quantity === 'consumption'
  const compared = { colour: 6, behind: true, decimals: kwh, ...drawnWhere(isEnergy) } as const
  const series: ChartSeries[] = [
    ...column(named('consumption before'), { name: 'Consumption before', ...compared }),
    ...column(named('average'), { name: 'Average profile', ...compared }),
    ...column(consumption, { name: 'Consumption', colour: 1, decimals: kwh, estimated, ...drawnWhere(isEnergy) }),
    ...column(cost, { name: 'Cost', colour: 2, decimals: 2, side: 'right', centred: true, estimated }),
    ...column(named('cost before'), { name: 'Cost before', colour: 2, decimals: 2, side: 'right', drawn: false }),
    ...(price && cost
      ? [{ ...cost, ends, name: 'Price', unit: 'DKK/kWh', y: price, colour: 2, decimals: 3, drawn: false } as const]
      : []),
    ...column(named('co2'), { name: 'Emission', colour: 4, decimals: 2, ...drawnWhere(!isEnergy) }),
  ]
  const isRead = readValues(consumption).length > 0
  const missing = slots.filter(
    ({ toMs }, i) => toMs <= dayBounds(today(nowMs)).fromMs && (consumption?.y[i] ?? null) === null,
  )
  const gaps: Gap[] = isDay
    ? describeGaps(joined(missing), words.missing)
    : joined(missing).map((gap) => ({ ...gap, words: words.missing }))
  return {
    series,
    span,
    unit: isEnergy ? 'kWh' : 'kg CO₂',
    decimals: isEnergy ? kwh : 2,
    fromZero: true,
    ...(isRead ? { gaps } : {}),
    timeLabels: by === 'year' ? 'month' : isDay ? 'hour' : 'clock',
  }
}
