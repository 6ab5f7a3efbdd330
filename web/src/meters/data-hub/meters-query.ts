import { findMeterGroups, type Meter } from '@gridmast/contract/meters/data-hub.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { useQueryClient } from '@tanstack/react-query'
import { callKey } from '#lib/query.ts'

/** Puts a meter as the server answered it into the list at once: nothing jumps back while the list is read again. */
export const useKeepMeter = () => {
  const queries = useQueryClient()
  return (meter: Meter) =>
    queries.setQueryData<Data<typeof findMeterGroups>>(
      callKey(findMeterGroups),
      (before) =>
        before && {
          ...before,
          groups: before.groups.map((group) => ({
            ...group,
            meterIdData: group.meterIdData.map((one) => (one.id === meter.id ? meter : one)),
          })),
        },
    )
}
