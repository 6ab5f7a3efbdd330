import { consumptionStep, instanceOverview } from '@gridmast/contract/grid/capacity.ts'
import { type Span, dayMs, hourMs } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { alignDays, shiftDays } from '#ui/Chart/compare.ts'
import type { ChartSeries } from '#ui/Chart/model.ts'
import { comparisonSearch } from './comparison-search.ts'
import { type InstanceView, wholeDay } from './useInstanceDay.ts'

const daysBack = { day: 1, week: 7 } as const
const names = { day: 'Previous day', week: 'Previous week' } as const

type Options = {
  instanceId: string
  others: readonly { _id: string; name: string }[]
  view: InstanceView
  span: Span
}

export const useComparison = ({ instanceId, others, view, span }: Options) => {
  const [{ compare }, change] = useUrlState(comparisonSearch)
  const other = others.find(({ _id }) => _id === compare)
  const days = compare === 'day' || compare === 'week' ? daysBack[compare] : 0
  const isOn = days > 0 || other !== undefined
  const earlier = (ms: number) => new Date(shiftDays(ms, -days) ?? ms - days * dayMs).toISOString()
  const groupId = other?._id ?? instanceId
  const query = useCall(instanceOverview, {
    sent: { query: { groupId, start: earlier(span.fromMs), end: earlier(span.toMs) } },
    enabled: isOn,
    keepWhile: `${groupId} ${days}`,
  })
  const { data } = query
  const name = other?.name ?? (days === daysBack.day ? names.day : names.week)
  const isByDay = consumptionStep(span) === 'day'
  const series = useMemo((): ChartSeries | null => {
    const read = view === 'power' ? data?.powerData[0] : data?.consumptionData[0]
    if (!isOn || !read) return null
    const points = days > 0 ? alignDays(read, days) : read
    const common = { ...read, ...points, name, colour: 6 as const, ...(other ? { isCustomerText: true as const } : {}) }
    if (view === 'power') return common
    const slots = isByDay ? { ends: points.x.map((ms) => wholeDay(ms).toMs) } : { slotMs: hourMs }
    return { ...common, ...slots, behind: true }
  }, [data, days, isOn, isByDay, name, other, view])
  return {
    series,
    name: isOn ? name : null,
    isCustomerText: other !== undefined,
    error: isOn ? query.error : null,
    chosen: isOn ? compare : undefined,
    choose: (next: string | undefined) => change({ compare: next }),
  }
}
