import {
  type Fact,
  listOf,
  type MeterValue,
  numberOf,
  objectOf,
  type Outcome,
  scalarOf,
  textOf,
  whOf,
} from './facts.ts'
import { NotUnderstood, type Payload } from './frames.ts'
import type { Order } from './orders.ts'

/** Messages and answers that are equal in both versions. */

const needNumber = (payload: Payload, name: string): number => {
  const value = numberOf(payload[name])
  if (value === null) throw new NotUnderstood('missing', `${name} is missing`)
  return Math.round(value)
}

const maxOutlets = 1000

const checkOutlet = (no: number, name: string): number => {
  if (no < 0 || no > maxOutlets) throw new NotUnderstood('outOfRange', `${name} is no outlet`)
  return no
}
/** 0 is the charger itself. */
export const needOutlet = (payload: Payload, name: string): number => checkOutlet(needNumber(payload, name), name)
export const outletOf = (value: unknown, name: string): number | null => {
  const no = numberOf(value)
  return no === null ? null : checkOutlet(Math.round(no), name)
}

export const needWh = (payload: Payload, name: string): number => {
  const value = whOf(needNumber(payload, name))
  if (value === null) throw new NotUnderstood('outOfRange', `${name} is no register`)
  return value
}

/** Measured values with the defaults of the standard; the versions have different units. */
export const valuesOf = (
  list: unknown,
  unitOf: (sample: Payload) => { unit: string | null; multiplier: number },
): MeterValue[] =>
  listOf(list).map((one) => ({
    at: textOf(one['timestamp']),
    samples: listOf(one['sampledValue']).map((sample) => ({
      value: scalarOf(sample['value']),
      measurand: textOf(sample['measurand']) ?? 'Energy.Active.Import.Register',
      phase: textOf(sample['phase']),
      ...unitOf(sample),
      context: textOf(sample['context']) ?? 'Sample.Periodic',
      location: textOf(sample['location']) ?? 'Outlet',
    })),
  }))

export const progressOf =
  (what: 'firmware' | 'diagnostics') =>
  (payload: Payload): Fact => ({ kind: 'progress', what, status: textOf(payload['status']) ?? 'Unknown' })
export const progressReaders = {
  FirmwareStatusNotification: progressOf('firmware'),
  LogStatusNotification: progressOf('diagnostics'),
}

/** `noted` messages are only acknowledged; `unsupported` ones are valid, but not implemented here. */
export const readerOf =
  (
    readers: Record<string, (payload: Payload) => Fact>,
    noted: ReadonlySet<string>,
    unsupported: ReadonlySet<string> = new Set(),
  ) =>
  (action: string, payload: Payload): Fact => {
    const reader = Object.hasOwn(readers, action) ? readers[action] : undefined
    if (reader) return reader(payload)
    if (noted.has(action)) return { kind: 'noted' }
    if (unsupported.has(action)) throw new NotUnderstood('notSupported', `${action} is not supported`)
    throw new NotUnderstood('notImplemented', `${action} is not for a central system`)
  }

const iso = (ms: number) => new Date(ms).toISOString()

type LimitOrder = Extract<Order, { kind: 'limit' }>

export const validityOf = ({ fromMs, untilMs }: LimitOrder): Payload =>
  untilMs === null ? {} : { validFrom: iso(fromMs), validTo: iso(untilMs) }

export const scheduleOf = ({ fromMs, untilMs, unit, limit, later = [], phases }: LimitOrder): Payload => ({
  startSchedule: iso(fromMs),
  chargingRateUnit: unit,
  ...(untilMs === null ? {} : { duration: Math.round((untilMs - fromMs) / 1000) }),
  chargingSchedulePeriod: [{ afterS: 0, limit }, ...later].map((one) => ({
    startPeriod: one.afterS,
    limit: one.limit,
    numberPhases: phases,
  })),
})

export const lowestLimit = (schedule: unknown): number | null => {
  const periods = listOf(objectOf(schedule)['chargingSchedulePeriod'])
  const limits = periods.map((one) => numberOf(one['limit'])).filter((one) => one !== null)
  return limits.length > 0 ? Math.min(...limits) : null
}

export const plainAnswer = (
  action: string,
  outcome: Extract<Outcome, { kind: 'booted' | 'time' | 'done' }>,
): Payload => {
  if (outcome.kind === 'done') {
    if (action === 'DataTransfer') return { status: 'UnknownVendorId' }
    return action === 'SignCertificate' ? { status: 'Rejected' } : {}
  }
  const currentTime = iso(outcome.nowMs)
  return outcome.kind === 'time'
    ? { currentTime }
    : { status: outcome.status, currentTime, interval: outcome.intervalS }
}
