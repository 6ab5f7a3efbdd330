import { consumptionStep } from '@gridmast/contract/grid/capacity.ts'
import { getPlan } from '@gridmast/contract/planning/load-shifting.ts'
import { type Span, hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { useEffect, useEffectEvent } from 'react'
import { useCalls } from '#lib/query.ts'
import { type PlanMark, plannedKw, plannedKwh } from './planned.ts'
import type { PlannedSeries } from './useComparison.ts'
import { type InstanceView, wholeDay } from './useInstanceDay.ts'

type Props = {
  plans: readonly PlanMark[]
  span: Span
  view: InstanceView
  onRead: (planned: PlannedSeries) => void
}

const startOfHour = (ms: number) => Math.floor(ms / hourMs) * hourMs
const startOfDay = (ms: number) => wholeDay(ms).fromMs

/** Reads load plans for the chart of an instance: a component of its own, so that their schemas load when they are compared. */
const Planned = ({ plans, span, view, onRead }: Props) => {
  const reads = useCalls(
    getPlan,
    plans.map(({ _id }) => ({ params: { planId: _id }, query: {} })),
  )
  const read = useEffectEvent(() => {
    const accepted = plans.flatMap(({ from, to }, i) => {
      const plan = reads[i]?.data?.plan
      return plan ? [{ plan, from, to }] : []
    })
    const error = reads.find((one) => one.error)?.error ?? null
    if (accepted.length === 0) return onRead({ series: null, error })
    if (view === 'power') {
      const points = plannedKw(accepted, span)
      const ends = points.x.map((ms) => ms + quarterMs)
      return onRead({ series: { ...points, ends, slotMs: quarterMs, name: '', unit: 'kW', kind: 'step' }, error })
    }
    const isByDay = consumptionStep(span) === 'day'
    const points = plannedKwh(accepted, span, isByDay ? startOfDay : startOfHour)
    const ends = points.x.map((ms) => (isByDay ? wholeDay(ms).toMs : ms + hourMs))
    onRead({ series: { ...points, ends, name: '', unit: 'kWh', kind: 'column', behind: true }, error })
  })
  const content = JSON.stringify([plans, span, view, reads.map(({ dataUpdatedAt, error }) => [dataUpdatedAt, error])])
  // The plans and their answers are new arrays in each render.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => read(), [content])
  return null
}

export default Planned
