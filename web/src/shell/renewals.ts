import { verify } from '@gridmast/contract/people/auth.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { instanceOverview, powerCapacity, powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { powerCost, pricing } from '@gridmast/contract/grid/prices.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useLivePrices, useLiveProfile, useLiveResume } from '#lib/live.ts'

/** Calls to read again after an event of the stream, and after an interruption. */
const renewals = {
  prices: [powerCost, pricing],
  profile: [verify],
  resumed: [verify, powerCost, pricing, frequencySeries, powerCapacity, powerCapacitySum, instanceOverview],
} as const satisfies Record<string, readonly CallShape[]>

/** Keeps data on the screen current by the stream; mounted once. */
export const useRenewals = () => {
  const queries = useQueryClient()
  const renew = (calls: readonly CallShape[]) => {
    for (const { path } of calls) void queries.invalidateQueries({ queryKey: [path] })
  }
  useLivePrices(() => renew(renewals.prices))
  useLiveProfile(() => renew(renewals.profile))
  useLiveResume(() => renew(renewals.resumed))
}
