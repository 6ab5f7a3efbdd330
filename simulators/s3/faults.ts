import { z } from 'zod'

const operations = [
  'ListObjects',
  'ListUploads',
  'HeadObject',
  'GetObject',
  'PutObject',
  'DeleteObject',
  'CreateUpload',
  'UploadPart',
  'CompleteUpload',
  'AbortUpload',
] as const
export type Operation = (typeof operations)[number]

const fault = z.strictObject({
  /**
   * `slow`: the answer waits `ms`. `cut`: the socket ends before an answer. `die`: the process ends all sockets and accepts none. `short`: the
   * object is stored without its last byte. Digits: that status without an effect.
   */
  kind: z.enum(['slow', 'cut', 'die', 'short', '403', '500', '503']),
  operation: z.enum([...operations, '*']).default('*'),
  /** Requests that pass before the fault. */
  after: z.int().min(0).default(0),
  times: z.int().min(1).default(1),
  ms: z.int().min(0).default(1000),
})
export type Fault = z.output<typeof fault>
export type FaultInput = z.input<typeof fault>

export const readFault = (body: unknown): Fault => fault.parse(body)

export const meetFault = (faults: Fault[], operation: Operation): Fault | null => {
  const at = faults.findIndex((one) => one.operation === '*' || one.operation === operation)
  const met = faults[at]
  if (!met) return null
  if (met.after > 0) {
    met.after--
    return null
  }
  met.times--
  if (met.times <= 0) faults.splice(at, 1)
  return met
}
