import type { Data } from '@gridmast/contract/call.ts'
import type { powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'

type Sum = Data<typeof powerCapacitySum>

/** What one instance has available. */
export const readyInstance = (_id: string, name: string, kw: number | null): Sum['instances'][number] => ({
  _id,
  name,
  kw,
  simulated: false,
  lastReported: kw === null ? null : new Date().toISOString(),
})

export const someCapacity = (over: Partial<Sum> = {}): Sum => ({
  graph: [],
  instances: [],
  soldKw: null,
  simulated: false,
  from: '2026-11-20T10:00:00Z',
  to: '2026-11-20T10:01:00Z',
  lastReported: new Date().toISOString(),
  ...over,
})
