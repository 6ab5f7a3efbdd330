import type { PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { ChartModel, ChartSeries } from '#ui/Chart/model.ts'

/** Re-read intervals, while a plan is calculated and afterwards. */
export const waitingMs = 700
export const followedMs = 60_000

/** Charts of a plan: its power with the baseline and the measurement, and the price of a kWh. */

type Answered = Pick<PlanDetail, 'quarters' | 'answer' | 'measuredWh'>
type Words = Record<'plan' | 'baseline' | 'measured' | 'price' | 'assumed', string>

const spanOf = ({ quarters }: Pick<PlanDetail, 'quarters'>): Span => ({
  fromMs: quarters[0]?.fromMs ?? 0,
  toMs: (quarters.at(-1)?.fromMs ?? 0) + quarterMs,
})

/** The last quarter is drawn to its end too. */
const endsOf = (quarters: PlanDetail['quarters']): number[] => quarters.map(({ fromMs }) => fromMs + quarterMs)

type Schedule = { loads: readonly { wh: readonly number[] }[] }

/** kWh of all loads in each quarter. */
export const kwhOf = ({ loads }: Schedule, count: number): number[] =>
  Array.from({ length: count }, (_, q) => loads.reduce((sum, { wh }) => sum + (wh[q] ?? 0), 0) / 1000)

/** Quarters that follow each other as spans. */
const joined = (quarters: readonly number[]): Span[] =>
  quarters.reduce<Span[]>((spans, fromMs) => {
    const last = spans.at(-1)
    if (last?.toMs === fromMs) last.toMs += quarterMs
    else spans.push({ fromMs, toMs: fromMs + quarterMs })
    return spans
  }, [])

const assumedSpans = ({ quarters }: Pick<PlanDetail, 'quarters'>): Span[] =>
  joined(quarters.filter(({ isAssumed }) => isAssumed).map(({ fromMs }) => fromMs))

/** Spans in which the plan uses power. */
const plannedSpans = ({ quarters, answer }: Pick<PlanDetail, 'quarters' | 'answer'>): Span[] => {
  if (!answer || !('plan' in answer)) return []
  const kwh = kwhOf(answer.plan, quarters.length)
  return joined(quarters.flatMap(({ fromMs }, q) => ((kwh[q] ?? 0) > 0 ? [fromMs] : [])))
}

export const planModel = (detail: Answered, words: Words, nowMs: number): ChartModel | null => {
  const { quarters, answer, measuredWh } = detail
  if (!answer || !('plan' in answer)) return null
  const x = quarters.map(({ fromMs }) => fromMs)
  const base = { unit: 'kWh', x, ends: endsOf(quarters), slotMs: quarterMs }
  const series: ChartSeries[] = [
    { ...base, name: words.plan, kind: 'column', colour: 1, y: kwhOf(answer.plan, x.length) },
    { ...base, name: words.baseline, kind: 'step', colour: 6, y: kwhOf(answer.baseline, x.length) },
  ]
  if (measuredWh.length > 0)
    series.push({
      ...base,
      name: words.measured,
      kind: 'step',
      colour: 2,
      y: x.map((_, q) => (measuredWh[q] === undefined || measuredWh[q] === null ? null : measuredWh[q] / 1000)),
    })
  const span = spanOf(detail)
  return {
    series,
    span,
    unit: 'kWh',
    decimals: 2,
    fromZero: true,
    timeLabels: 'clock',
    windows: assumedSpans(detail).map((one) => ({ ...one, words: words.assumed })),
    ...(nowMs > span.fromMs && nowMs < span.toMs ? { nowMs } : {}),
  }
}

export const priceModel = (detail: Answered, words: Words): ChartModel => {
  const { quarters } = detail
  const y = quarters.map(
    // For drawing only, not for calculations.
    ({ spotDkkPerMwh, tariffDkkPerMwh, taxDkkPerMwh }) =>
      Number(spotDkkPerMwh) + Number(tariffDkkPerMwh) + Number(taxDkkPerMwh),
  )
  return {
    series: [
      {
        name: words.price,
        unit: 'DKK/MWh',
        kind: 'step',
        colour: 2,
        slotMs: quarterMs,
        x: quarters.map(({ fromMs }) => fromMs),
        ends: endsOf(quarters),
        y,
        estimated: assumedSpans(detail),
      },
    ],
    span: spanOf(detail),
    unit: 'DKK/MWh',
    decimals: 0,
    timeLabels: 'clock',
    windows: plannedSpans(detail).map((one) => ({ ...one, words: '' })),
  }
}
