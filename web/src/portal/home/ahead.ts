import { verify } from '@gridmast/contract/people/auth.ts'
import { powerCapacity, powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { today } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import { instancesOf, shownOf, together } from '#grid/capacity/shown.ts'
import { daysOf } from '#settlement/economics/money.ts'
import { sentOf } from '#grid/frequency/sent.ts'
import { currentMs } from '#lib/clock.ts'
import { reading } from '#lib/query.ts'
import { type Cell, capacityOf, shownRows, signalOf } from './layout.ts'

/** What the card of a cell asks first. */
const asked = (cell: Cell, customer: Customer): FetchQueryOptions | undefined => {
  switch (cell.card) {
    case 'frequency': {
      const signal = signalOf(cell, customer)
      return signal && reading(frequencySeries, sentOf(signal))
    }
    case 'capacity': {
      const { market, usual } = capacityOf(cell)
      const shown = shownOf(instancesOf(market, customer.instances), usual)
      if (shown === together) return reading(powerCapacitySum, { query: { market } })
      return shown === null ? undefined : reading(powerCapacity, { query: { market, instanceId: shown } })
    }
    case 'revenue': {
      const { start, end } = daysOf({}, today(currentMs()))
      return reading(monthRevenue, { query: { startDate: start, endDate: end } })
    }
    default:
      return undefined
  }
}

/** Asks what the first row of home shows as soon as it is known who is signed in, while the page is still being built. */
export const readAhead = async (queries: QueryClient): Promise<void> => {
  if (!window.firstCall || location.pathname !== '/' || location.search !== '') return
  const { user, due } = await queries.fetchQuery({ ...reading(verify), retry: false })
  if (due) return
  for (const cell of shownRows(user)[0] ?? []) {
    const first = asked(cell, user.customerId)
    if (first) void queries.prefetchQuery(first)
  }
}
