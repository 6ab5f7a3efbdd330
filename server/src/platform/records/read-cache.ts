import type { Bus } from '#platform/messaging/bus.ts'
import type { Records, Tx } from './records.ts'

/** Reads rows of one customer; the same function with the same arguments reads the same rows. */
export type ReadRows<T, Of extends unknown[] = []> = (tx: Tx, customerId: string, ...of: Of) => Promise<T>

export type Recall = {
  /**
   * What `read` found for the customer within the last 0.9 s, or finds now: the calls of one screen share what the first of them reads.
   * The rows are shared, nobody changes them. Arguments are the same that are the same in JSON.
   */
  rows: <T, Of extends unknown[]>(customerId: string, nowMs: number, read: ReadRows<T, Of>, ...of: Of) => Promise<T>
  /** Something changed in this process. */
  forget: () => void
}

/** As long as a session is believed. */
const recalledMs = 900
const mostCustomers = 1000
/** Kept of one function for one customer. */
const mostKept = 20

type Reading = { readAt: number; rows: Promise<unknown> }
/** Of one function, by its arguments. */
type Readings = Map<string, Reading>

export const openRecall = (records: Records, bus: Bus): Recall => {
  const readings = new Map<string, Map<unknown, Readings>>()
  const forget = () => readings.clear()
  const forgetCustomer = (id: unknown) => void readings.delete(String(id))
  bus.listen('customer', forgetCustomer)
  bus.listen('edges', forgetCustomer)
  bus.listen('resync', forget)
  return {
    forget,
    rows: async <T, Of extends unknown[]>(customerId: string, nowMs: number, read: ReadRows<T, Of>, ...of: Of) => {
      if (readings.size >= mostCustomers) forget()
      const ofCustomer = readings.get(customerId) ?? new Map<unknown, Readings>()
      readings.set(customerId, ofCustomer)
      const ofRead: Readings = ofCustomer.get(read) ?? new Map<string, Reading>()
      ofCustomer.set(read, ofRead)
      const key = JSON.stringify(of)
      const known = ofRead.get(key)
      if (known && nowMs >= known.readAt && nowMs - known.readAt < recalledMs) return known.rows as Promise<T> // found by this very function
      if (ofRead.size >= mostKept) ofRead.clear()
      // Kept before it is answered, so that a change forgets also what was on its way when it came.
      const rows = records.tenant(customerId, (tx) => read(tx, customerId, ...of))
      ofRead.set(key, { readAt: nowMs, rows })
      rows.catch(() => ofRead.delete(key))
      return rows
    },
  }
}
