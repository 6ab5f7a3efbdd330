/** What goes wrong on request, for so many requests of a kind. */

const faultKinds = [
  // Nothing is done.
  '400',
  '401',
  '409',
  '429',
  '500',
  'html',
  'lost',
  // It is done, and the answer comes late, is cut off, or never comes.
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
  /** Requests that still meet it. */
  times: number
  /** Of a late answer. */
  lateMs: number
}

/** A fault from the body of POST /_faults, or a sentence that says what is wrong with it. */
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

/** The fault that a request meets; it has one fewer left. */
export const meetFault = (faults: Fault[], operation: Operation): Fault | null => {
  const at = faults.findIndex((one) => one.operation === '*' || one.operation === operation)
  const fault = faults[at]
  if (!fault) return null
  fault.times--
  if (fault.times <= 0) faults.splice(at, 1)
  return fault
}
