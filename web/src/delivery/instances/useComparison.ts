import { consumptionStep, instanceOverview } from '@gridmast/contract/grid/capacity.ts'
import { getPlan } from '@gridmast/contract/planning/load-shifting.ts'
import {
  type LocalDate,
  type Span,
  dayMs,
  daysBetween,
  formatDate,
  hourMs,
  quarterMs,
  today,
} from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { useCall, useCalls } from '#lib/query.ts'
import { day } from '#lib/search-params.ts'
import { useUrlState } from '#lib/url-state.ts'
import { alignDays, shiftDays } from '#ui/Chart/compare.ts'
import type { ChartSeries } from '#ui/Chart/model.ts'
import { comparisonSearch } from './comparison-search.ts'
import { type PlanMark, plannedKw, plannedKwh } from './planned.ts'
import { type InstanceView, wholeDay } from './useInstanceDay.ts'

const names = { day: 'Previous day', week: 'Previous week', plan: 'Load plan' } as const

/** Days from the compared to the shown time; 0 for none. A chosen day is compared with the first one of the screen. */
const daysBack = (compare: string | undefined, first: LocalDate, newest: LocalDate): number => {
  if (compare === 'day') return 1
  if (compare === 'week') return 7
  return compare !== undefined && day(compare) && compare <= newest ? daysBetween(compare, first) : 0
}

const startOfHour = (ms: number) => Math.floor(ms / hourMs) * hourMs

type Options = {
  instanceId: string
  others: readonly { _id: string; name: string }[]
  view: InstanceView
  /** First day of the range, which a zoom keeps. */
  first: LocalDate
  span: Span
  /** Accepted load plans of the span. */
  plans: readonly PlanMark[]
}

/** The series that a chart of an instance is compared with. */
export const useComparison = ({ instanceId, others, view, first, span, plans }: Options) => {
  const [{ compare }, change] = useUrlState(comparisonSearch)
  const newest = today(useNow(60_000))
  const { fromMs, toMs } = span
  const other = others.find(({ _id }) => _id === compare)
  const days = daysBack(compare, first, newest)
  const isMeasured = days !== 0 || other !== undefined
  const isPlan = compare === 'plan' && plans.length > 0
  const isOn = isMeasured || isPlan
  const earlier = (ms: number) => new Date(shiftDays(ms, -days) ?? ms - days * dayMs).toISOString()
  const groupId = other?._id ?? instanceId
  const query = useCall(instanceOverview, {
    sent: { query: { groupId, start: earlier(fromMs), end: earlier(toMs) } },
    enabled: isMeasured,
    keepWhile: `${groupId} ${days}`,
  })
  const sentPlans = plans.map(({ _id }) => ({ params: { planId: _id }, query: {} }))
  const reads = useCalls(getPlan, sentPlans, isPlan)
  const readPlans = reads.map((read) => read.data?.plan)
  const { data } = query
  const ownName =
    other?.name ?? (compare === 'day' || compare === 'week' || isPlan ? null : formatDate(compare ?? first))
  const name = ownName ?? names[isPlan ? 'plan' : compare === 'day' ? 'day' : 'week']
  const isCustomerText = ownName !== null
  const isByDay = consumptionStep({ fromMs, toMs }) === 'day'
  const planKey = JSON.stringify([plans, readPlans.map((plan) => plan?._id)])
  const series = useMemo((): ChartSeries | null => {
    const common = { name, colour: 6 as const, ...(isCustomerText ? { isCustomerText: true as const } : {}) }
    const columns = (x: readonly number[]) =>
      isByDay ? { ends: x.map((ms) => wholeDay(ms).toMs) } : { slotMs: hourMs }
    if (isPlan) {
      const accepted = plans.flatMap(({ from, to }, i) => (readPlans[i] ? [{ plan: readPlans[i], from, to }] : []))
      if (accepted.length === 0) return null
      const shown = { fromMs, toMs }
      if (view === 'power') {
        const points = plannedKw(accepted, shown)
        const ends = points.x.map((ms) => ms + quarterMs)
        return { ...common, ...points, ends, slotMs: quarterMs, unit: 'kW', kind: 'step' }
      }
      const points = plannedKwh(accepted, shown, isByDay ? (ms) => wholeDay(ms).fromMs : startOfHour)
      return { ...common, ...points, ...columns(points.x), unit: 'kWh', kind: 'column', behind: true }
    }
    const read = view === 'power' ? data?.powerData[0] : data?.consumptionData[0]
    if (!isMeasured || !read) return null
    const points = days === 0 ? read : alignDays(read, days)
    const moved = { ...read, ...points, ...common }
    return view === 'power' ? moved : { ...moved, ...columns(points.x), behind: true }
    // The plans are new arrays in each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [data, days, isMeasured, isPlan, isByDay, name, isCustomerText, view, fromMs, toMs, planKey])
  return {
    series,
    name: isOn ? name : null,
    isCustomerText,
    error: (isMeasured ? query.error : null) ?? (isPlan ? (reads.find(({ error }) => error)?.error ?? null) : null),
    chosen: compare,
    choose: (next: string | undefined) => change({ compare: next }),
  }
}
