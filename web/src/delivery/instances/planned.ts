import type { Annotation } from '@gridmast/contract/delivery/annotations.ts'
import type { PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { type Span, hourMs, quarterMs } from '@gridmast/contract/time.ts'

type Points = { x: number[]; y: number[] }

/** An accepted load plan applies from `from` until `to`, which is earlier than its last quarter when another plan replaced it. */
type Accepted = { plan: Pick<PlanDetail, 'quarters' | 'answer'>; from: string; to: string | null }

export type PlanMark = Extract<Annotation, { kind: 'plan' }>

/** Planned kWh by quarter inside the span. A plan that replaces another one during a quarter applies to the whole quarter. */
const plannedQuarters = (accepted: readonly Accepted[], span: Span): { ms: number; kwh: number }[] => {
  const quartersOfAll = accepted
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
    .flatMap(({ plan: { quarters, answer }, from, to }) => {
      if (!answer || !('plan' in answer)) return []
      const { loads } = answer.plan
      const [fromMs, toMs] = [Date.parse(from), to === null ? Infinity : Date.parse(to)]
      return quarters.flatMap(({ fromMs: ms }, q) =>
        ms + quarterMs > Math.max(fromMs, span.fromMs) && ms < Math.min(toMs, span.toMs)
          ? [{ ms, kwh: loads.reduce((sum, { wh }) => sum + (wh[q] ?? 0), 0) / 1000 }]
          : [],
      )
    })
  return [...new Map(quartersOfAll.map((quarter) => [quarter.ms, quarter])).values()].toSorted((a, b) => a.ms - b.ms)
}

/** kW of the accepted load plans by quarter. */
export const plannedKw = (accepted: readonly Accepted[], span: Span): Points => {
  const quarters = plannedQuarters(accepted, span)
  return { x: quarters.map(({ ms }) => ms), y: quarters.map(({ kwh }) => (kwh * hourMs) / quarterMs) }
}

/** kWh of the accepted load plans in each column that begins at `startOf` of a quarter. */
export const plannedKwh = (accepted: readonly Accepted[], span: Span, startOf: (ms: number) => number): Points => {
  const sums = new Map<number, number>()
  for (const { ms, kwh } of plannedQuarters(accepted, span)) sums.set(startOf(ms), (sums.get(startOf(ms)) ?? 0) + kwh)
  return { x: [...sums.keys()], y: [...sums.values()] }
}
