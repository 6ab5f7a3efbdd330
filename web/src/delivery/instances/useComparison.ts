import { consumptionStep, instanceOverview } from '@gridmast/contract/grid/capacity.ts'
import { type LocalDate, type Span, dayMs, daysBetween, formatDate, hourMs, today } from '@gridmast/contract/time.ts'
import { useMemo, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { useCall } from '#lib/query.ts'
import { day } from '#lib/search-params.ts'
import { useUrlState } from '#lib/url-state.ts'
import { alignDays, shiftDays } from '#ui/Chart/compare.ts'
import type { ChartSeries } from '#ui/Chart/model.ts'
import { comparisonSearch } from './comparison-search.ts'
import type { PlanMark } from './planned.ts'
import { type InstanceView, wholeDay } from './useInstanceDay.ts'

const names = { day: 'Previous day', week: 'Previous week', plan: 'Load plan' } as const

/** Days from the compared to the shown time; 0 for none. A chosen day is compared with the first one of the screen. */
const daysBack = (compare: string | undefined, first: LocalDate, newest: LocalDate): number => {
  if (compare === 'day') return 1
  if (compare === 'week') return 7
  return compare !== undefined && day(compare) && compare <= newest ? daysBetween(compare, first) : 0
}

/** Of the accepted load plans, without name and colour. */
export type PlannedSeries = { series: Omit<ChartSeries, 'colour'> | null; error: unknown }

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
  const [planned, setPlanned] = useState<PlannedSeries>({ series: null, error: null })
  const { data } = query
  const date = day(compare)
  const ownName = other?.name ?? (date ? formatDate(date) : null)
  const name = ownName ?? names[isPlan ? 'plan' : compare === 'day' ? 'day' : 'week']
  const isCustomerText = ownName !== null
  const isByDay = consumptionStep({ fromMs, toMs }) === 'day'
  const series = useMemo((): ChartSeries | null => {
    const common = { name, colour: 6 as const, ...(isCustomerText ? { isCustomerText: true as const } : {}) }
    const columns = (x: readonly number[]) =>
      isByDay ? { ends: x.map((ms) => wholeDay(ms).toMs) } : { slotMs: hourMs }
    if (isPlan) return planned.series && { ...planned.series, ...common }
    const read = view === 'power' ? data?.powerData[0] : data?.consumptionData[0]
    if (!isMeasured || !read) return null
    const points = days === 0 ? read : alignDays(read, days)
    const moved = { ...read, ...points, ...common }
    return view === 'power' ? moved : { ...moved, ...columns(points.x), behind: true }
  }, [data, days, isMeasured, isPlan, planned, isByDay, name, isCustomerText, view])
  return {
    series,
    name: isOn ? name : null,
    isCustomerText,
    error: (isMeasured ? query.error : null) ?? (isPlan ? planned.error : null),
    /** Shown while the plans are compared. */
    readPlans: isPlan ? setPlanned : null,
    chosen: isOn || date ? compare : undefined,
    choose: (next: string | undefined) => change({ compare: next }),
  }
}
