import type { Data } from '@gridmast/contract/call.ts'
import { consumptionStep } from '@gridmast/contract/grid/capacity.ts'
import { type carbonEmission, emissionStep } from '@gridmast/contract/grid/carbon.ts'
import { datesIn, slotsIn } from '@gridmast/contract/slots.ts'
import { type Span, dayBounds, hourMs, localDateOf, minuteMs } from '@gridmast/contract/time.ts'
import type { ChartModel, ChartSeries, Gap } from '#ui/Chart/model.ts'
import { describeGaps } from '#ui/Chart/shape.ts'

export type Emission = Data<typeof carbonEmission>
export type EmissionType = 'past' | 'future'

/** The step of a series: the shortest distance between two points, five minutes where there is one point only. */
export const stepOf = (x: readonly number[]): number => {
  let step = Infinity
  for (let i = 1; i < x.length; i++) step = Math.min(step, (x[i] ?? 0) - (x[i - 1] ?? 0))
  return Number.isFinite(step) && step > 0 ? Math.min(step, hourMs) : 5 * minuteMs
}

/** Gaps between the covered parts of a span; none when no part is covered. */
const spansBetween = (covered: readonly Span[], { fromMs, toMs }: Span): Span[] =>
  covered.length === 0
    ? []
    : [...covered, { fromMs: toMs, toMs }].flatMap((one, i) => {
        const before = covered[i - 1]?.toMs ?? fromMs
        return one.fromMs > before ? [{ fromMs: before, toMs: one.fromMs }] : []
      })

/** Gaps of a day have their times. */
const gapsOf = (gaps: Span[], { fromMs, toMs }: Span, words: string): Gap[] =>
  toMs - fromMs <= 25 * hourMs ? describeGaps(gaps, words) : gaps.map((gap) => ({ ...gap, words }))

const endsOf = (x: readonly number[], span: Span): number[] => {
  if (emissionStep(span) === 'day') return x.map((ms) => Math.min(dayBounds(localDateOf(ms)).toMs, span.toMs))
  const stepMs = stepOf(x)
  return x.map((ms) => Math.min(ms + stepMs, span.toMs))
}

/** A prognosis for the emission of a chart, dashed. */
export const comparedPrognosis = ({ graph }: Pick<Emission, 'graph'>, span: Span): ChartSeries[] =>
  graph.map((series) => ({
    ...series,
    name: 'Emission prognosis',
    colour: 6,
    ends: endsOf(series.x, span),
    estimated: [{ fromMs: span.fromMs - hourMs, toMs: span.toMs + 1 }],
  }))

/** Emission of a day or a range as steps, with a mark at `nowMs` and named gaps. */
export const emissionModel = (
  { graph }: Pick<Emission, 'graph'>,
  { span, type, nowMs, missing }: { span: Span; type: EmissionType; nowMs: number; missing: string },
): ChartModel => {
  const values = graph[0] ?? { x: [], y: [] }
  const ends = endsOf(values.x, span)
  const measuredToMs = Math.max(span.fromMs, dayBounds(localDateOf(nowMs)).fromMs)
  const isToday = nowMs >= span.fromMs && nowMs < span.toMs
  const covered = values.x.flatMap((ms, i) => (values.y[i] === null ? [] : [{ fromMs: ms, toMs: ends[i] ?? ms }]))
  // Measurements of today end now, not at midnight.
  const gaps = spansBetween(covered, isToday && type === 'past' ? { ...span, toMs: measuredToMs } : span)
  return {
    series: [
      {
        name: type === 'past' ? 'Emission' : 'Emission prognosis',
        unit: 'g/kWh',
        kind: 'step',
        colour: 1,
        scale: 'carbon',
        x: values.x,
        y: values.y,
        ends,
        // Only values in the future are drawn as estimates.
        ...(type === 'future'
          ? { estimated: [{ fromMs: Math.max(nowMs, span.fromMs - 1), toMs: span.toMs + 1 }] }
          : {}),
      },
    ],
    span,
    unit: 'g/kWh',
    decimals: 0,
    fromZero: true,
    gaps: gapsOf(gaps, span, missing),
    ...(isToday && type === 'future' ? { nowMs } : {}),
    ...(isToday && type === 'past' ? { futureFromMs: nowMs } : {}),
  }
}

const greenestMs = 4 * hourMs

/** The four hours in a row with the lowest mean emission that begin at `fromMs` or later; null where no four hours are covered in a row. */
export const greenestHours = ({ graph }: Pick<Emission, 'graph'>, fromMs: number): (Span & { mean: number }) | null => {
  const { x, y } = graph[0] ?? { x: [], y: [] }
  const steps = Math.round(greenestMs / stepOf(x))
  let best: (Span & { mean: number }) | null = null
  for (let i = 0; i + steps <= x.length; i++) {
    const [first, last] = [x[i] ?? 0, x[i + steps - 1] ?? 0]
    const values = y.slice(i, i + steps)
    if (first < fromMs || last - first !== greenestMs - stepOf(x) || values.includes(null)) continue
    const mean = values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / steps
    if (!best || mean < best.mean) best = { fromMs: first, toMs: first + greenestMs, mean }
  }
  return best
}

/** Own emission by hour or day: kg CO₂ as columns, with the kWh behind them in the tooltip and the table. */
export const ownModel = (
  graph: Emission['graph'],
  { span, nowMs, missing }: { span: Span; nowMs: number; missing: string },
): ChartModel => {
  const columns: Span[] = consumptionStep(span) === 'hour' ? slotsIn('hour', span) : datesIn(span).map(dayBounds)
  const endOfColumn = new Map(columns.map(({ fromMs, toMs }) => [fromMs, toMs]))
  const [main, ...others] = [...graph].toSorted(
    (a, b) => Number(b.unit.startsWith('kg')) - Number(a.unit.startsWith('kg')),
  )
  const drawn = (series: Emission['graph'][number]) => ({
    ...series,
    kind: 'column' as const,
    colour: 1 as const,
    ends: series.x.map((ms) => endOfColumn.get(ms) ?? ms + hourMs),
  })
  const covered = (main?.x ?? []).flatMap((fromMs, i) =>
    (main?.y[i] ?? null) === null ? [] : [{ fromMs, toMs: endOfColumn.get(fromMs) ?? fromMs + hourMs }],
  )
  // The current hour or day is not over, so it is not missing.
  const over = columns.filter(({ toMs }) => toMs <= nowMs).at(-1)?.toMs ?? span.fromMs
  return {
    series: [...(main ? [drawn(main)] : []), ...others.map((series) => ({ ...drawn(series), drawn: false as const }))],
    span,
    unit: main?.unit ?? 'kg',
    decimals: 1,
    gaps: gapsOf(spansBetween(covered, { ...span, toMs: over }), span, missing),
    ...(nowMs >= span.fromMs && nowMs < span.toMs ? { futureFromMs: nowMs } : {}),
  }
}
