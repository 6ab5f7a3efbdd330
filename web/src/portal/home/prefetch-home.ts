import { verify } from '@gridmast/contract/people/auth.ts'
import { powerCapacity, powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { today } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import { allInstances, instancesOf, chosenInstance, frequencyRequest } from '#grid/card-requests.ts'
import { currentMs } from '#lib/clock.ts'
import { queryOf } from '#lib/query.ts'
import { daysOf } from '#settlement/economics/search.ts'
import { type Cell, capacityOf, visibleRows, signalOf } from './layout.ts'

const queryOfCell = (cell: Cell, customer: Customer): FetchQueryOptions | undefined => {
  switch (cell.card) {
    case 'frequency': {
      const signal = signalOf(cell, customer)
      return signal && queryOf(frequencySeries, frequencyRequest(signal._id))
    }
    case 'capacity': {
      const { market, defaultInstance } = capacityOf(cell)
      const instanceId = chosenInstance(instancesOf(market, customer.instances), defaultInstance)
      if (instanceId === allInstances) return queryOf(powerCapacitySum, { query: { market } })
      return instanceId === null ? undefined : queryOf(powerCapacity, { query: { market, instanceId } })
    }
    case 'revenue': {
      const { start, end } = daysOf({}, today(currentMs()))
      return queryOf(monthRevenue, { query: { startDate: start, endDate: end } })
    }
    default:
      return undefined
  }
}

/** Loads the first rows of home as soon as the user is known, while the page still renders. */
export const prefetchHome = async (queries: QueryClient): Promise<void> => {
  if (!window.firstCall || location.pathname !== '/' || location.search !== '') return
  const { user, due, wall } = await queries.fetchQuery({ ...queryOf(verify), retry: false })
  if (due || wall !== undefined) return
  for (const cell of visibleRows(user).slice(0, 2).flat()) {
    const first = queryOfCell(cell, user.customerId)
    if (first) void queries.prefetchQuery(first)
  }
}
