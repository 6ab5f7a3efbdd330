/** Faults on request, each for a number of requests of a kind. */

const faultKinds = [
  // The request has no effect.
  '400',
  '401',
  '409',
  '429',
  '500',
  'html',
  'lost',
  // The request takes effect, and the answer is late, truncated, or missing.
  'late',
  'cut',
  'never',
] as const
export type FaultKind = (typeof faultKinds)[number]

const operations = ['token', 'create', 'get', 'capture', 'cancel', 'refund', 'webhooks', '*'] as const
export type Operation = Exclude<(typeof operations)[number], '*'>

export type Fault = {
  kind: FaultKind
  operation: (typeof operations)[number]
  times: number
  lateMs: number
}

export const readFault = (body: unknown): Fault | string => {
  const given = new Map<string, unknown>(Object.entries(typeof body === 'object' && body !== null ? body : {}))
  const kind = faultKinds.find((one) => one === given.get('kind'))
  if (!kind) return `kind: expected one of ${faultKinds.join(', ')}`
  const operation = operations.find((one) => one === (given.get('operation') ?? '*'))
  if (!operation) return `operation: expected one of ${operations.join(', ')}`
  const [times, lateMs] = [given.get('times') ?? 1, given.get('lateMs') ?? 1000]
  if (typeof times !== 'number' || typeof lateMs !== 'number') return 'times, lateMs: expected numbers'
  return { kind, operation, times, lateMs }
}

export const meetFault = (faults: Fault[], operation: Operation): Fault | null => {
  const at = faults.findIndex((one) => one.operation === '*' || one.operation === operation)
  const fault = faults[at]
  if (!fault) return null
  fault.times--
  if (fault.times <= 0) faults.splice(at, 1)
  return fault
}
