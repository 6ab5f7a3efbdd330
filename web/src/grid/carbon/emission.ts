import type { Data } from '@gridmast/contract/call.ts'
import type { carbonEmission } from '@gridmast/contract/grid/carbon.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { type LocalDate, type Span, dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import type { ChartModel } from '#ui/Chart/model.ts'
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

/** Emission of one local day as steps, with a mark at `nowMs` and named gaps. */
export const emissionModel = (
  { graph }: Pick<Emission, 'graph'>,
  { date, type, nowMs, missing }: { date: LocalDate; type: EmissionType; nowMs: number; missing: string },
): ChartModel => {
  const span = dayBounds(date)
  const values = graph[0] ?? { x: [], y: [] }
  const stepMs = stepOf(values.x)
  const ends = values.x.map((ms) => Math.min(ms + stepMs, span.toMs))
  const isToday = nowMs >= span.fromMs && nowMs < span.toMs
  const covered = values.x.flatMap((ms, i) => (values.y[i] === null ? [] : [{ fromMs: ms, toMs: ms + stepMs }]))
  // Measurements of today end now, not at midnight.
  const gaps = spansBetween(covered, isToday && type === 'past' ? { ...span, toMs: span.fromMs } : span)
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
    gaps: describeGaps(gaps, missing),
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

/** Own emission of a day: kg CO₂ as columns, with the kWh behind them in the tooltip and the table. */
export const ownModel = (
  graph: Emission['graph'],
  { date, nowMs, missing }: { date: LocalDate; nowMs: number; missing: string },
): ChartModel => {
  const span = dayBounds(date)
  const hours = slots('hour', date)
  const endOfHour = new Map(hours.map(({ fromMs, toMs }) => [fromMs, toMs]))
  const [main, ...others] = [...graph].toSorted(
    (a, b) => Number(b.unit.startsWith('kg')) - Number(a.unit.startsWith('kg')),
  )
  const drawn = (series: Emission['graph'][number]) => ({
    ...series,
    kind: 'column' as const,
    colour: 1 as const,
    ends: series.x.map((ms) => endOfHour.get(ms) ?? ms + hourMs),
  })
  const covered = (main?.x ?? []).flatMap((fromMs, i) =>
    (main?.y[i] ?? null) === null ? [] : [{ fromMs, toMs: endOfHour.get(fromMs) ?? fromMs + hourMs }],
  )
  // The current hour is not over, so it is not missing.
  const over = hours.filter(({ toMs }) => toMs <= nowMs).at(-1)?.toMs ?? span.fromMs
  return {
    series: [...(main ? [drawn(main)] : []), ...others.map((series) => ({ ...drawn(series), drawn: false as const }))],
    span,
    unit: main?.unit ?? 'kg',
    decimals: 1,
    gaps: describeGaps(spansBetween(covered, { ...span, toMs: over }), missing),
    ...(nowMs >= span.fromMs && nowMs < span.toMs ? { futureFromMs: nowMs } : {}),
  }
}
