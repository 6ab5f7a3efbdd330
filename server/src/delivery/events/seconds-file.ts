import { zone } from '@gridmast/contract/time.ts'
import type { Curves } from '#delivery/scoring/measured.ts'
import type { Product } from '#delivery/scoring/products.ts'
import type { Cell, TableFile } from '#platform/files/table-file.ts'
import type { Readings } from '#readings/readings.ts'
import { decidingFigure } from './to-event.ts'

/** A span that is judged, and what it came to; asked for when the rows reach it, so that one at a time is in memory. */
export type JudgedSpan = {
  fromMs: number
  toMs: number
  judge: () => Promise<Decided & { curves: Curves; sign: 1 | -1; baseKw: number | null }>
}

type Decided = { score: number | null; verdict: string; slope: number | null }

export type SecondsOf = {
  fileName: string
  about: Record<string, string>
  triggerNo: number
  powerNo: number | undefined
  product: Product
  fromMs: number
  toMs: number
  /** By their start; they do not overlap. */
  judged: readonly JudgedSpan[]
}

const methods: Record<Product['judged']['by'], string> = {
  response:
    'Required = capacity x share of the droop. Base = mean power from 60 to 5 s before the activation. Delivered = base - power. Least = smaller of required and a first-order lag of it. Score = 100 (0.6 energy + 0.3 ramp + 0.1 no overdelivery); delivered from 95, partly from 80',
  band: 'Required = capacity x share of the droop. Each quarter of an hour of UTC by itself: base = offset of the line of power on required. Score = share of seconds between least and most (answers within 15 s, 10 % more, 5 % of the capacity beyond); slope of delivered on required 0.9 to 1.2',
  'set point':
    'Required = capacity x set point. Base = mean power from 60 to 5 s before the activation. Delivered = base - power. Least and most = after 30 s dead time and the linear ramp of the product, or at once, 10 % around (at least 5 % of the capacity). Score = share of seconds inside',
}

async function* rowsOf(readings: Readings, of: SecondsOf): AsyncGenerator<Cell[]> {
  const { triggerNo, powerNo, fromMs, toMs, judged } = of
  let next = 0
  let now: (JudgedSpan & Awaited<ReturnType<JudgedSpan['judge']>>) | undefined
  const signalNos = [triggerNo, ...(powerNo === undefined ? [] : [powerNo])]
  for await (const { tMs, values } of readings.exportRows({ signalNos, fromMs, toMs })) {
    while (next < judged.length && (judged[next]?.fromMs ?? Infinity) <= tMs) {
      const span = judged[next++]
      now = span && span.toMs > tMs ? { ...span, ...(await span.judge()) } : undefined
    }
    if (now && now.toMs <= tMs) now = undefined
    const { curves, sign = 1 } = now ?? {}
    const figure = now && decidingFigure(now)
    const second = curves ? Math.round((tMs - (curves.x[0] ?? 0)) / 1000) : -1
    const signed = (kw: number | null | undefined) => (kw === null || kw === undefined ? null : sign * kw)
    yield [
      new Date(tMs),
      values[0] ?? null,
      values[1] ?? null,
      now?.baseKw ?? null,
      signed(curves?.requiredKw[second]),
      signed(curves?.deliveredKw[second]),
      signed(curves?.floorKw[second]),
      signed(curves?.ceilingKw[second]),
      figure?.score ?? null,
      figure?.slope ?? null,
      now?.verdict ?? null,
    ]
  }
}

/** Every sample of an instance on a market as a file, with what was required and delivered, up-regulation positive. */
export const secondsFile = (readings: Readings, of: SecondsOf): { file: TableFile } => {
  const kw = (header: string) => ({ header: `${header} (kW)`, numberFormat: '#,##0.000' })
  const trigger = of.product.trigger === 'frequency' ? 'Frequency (Hz)' : 'Set point (%)'
  return {
    file: {
      fileName: of.fileName,
      sheet: 'Seconds',
      about: {
        ...of.about,
        Method: methods[of.product.judged.by],
        Signs: 'Power: consumption is positive. Required, delivered, least and most: up-regulation is positive',
        Times: `${zone} and UTC`,
      },
      columns: [
        { header: 'Time', holds: 'instants' },
        { header: trigger, numberFormat: '#,##0.000' },
        ...['Power', 'Base', 'Required', 'Delivered', 'Least', 'Most'].map(kw),
        { header: 'Score', numberFormat: '#,##0.0' },
        { header: 'Slope', numberFormat: '#,##0.00' },
        { header: 'Verdict' },
      ],
      rows: rowsOf(readings, of),
    },
  }
}
