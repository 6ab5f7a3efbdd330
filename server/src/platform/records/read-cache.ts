import type { Bus } from '#platform/messaging/bus.ts'
import type { Records, Tx } from './records.ts'

/** Reads rows of one customer; equal arguments give equal rows. */
export type ReadRows<T, Of extends unknown[] = []> = (tx: Tx, customerId: string, ...of: Of) => Promise<T>

export type Recall = {
  /**
   * Rows of `read` up to 0.9 s old, so that the calls of one screen share a read. Never modify the rows. Arguments
   * are compared as JSON.
   */
  rows: <T, Of extends unknown[]>(customerId: string, nowMs: number, read: ReadRows<T, Of>, ...of: Of) => Promise<T>
  /** Discards all rows after a change in this process. */
  forget: () => void
}

/** The cache time of a session. */
const recalledMs = 900
const mostCustomers = 1000
/** Per function and customer. */
const mostKept = 20

type Reading = { readAt: number; rows: Promise<unknown> }
/** Reads of one function by arguments. */
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
      if (known && nowMs >= known.readAt && nowMs - known.readAt < recalledMs) return known.rows as Promise<T> // stored for this very function
      if (ofRead.size >= mostKept) ofRead.clear()
      // Stored before the read ends, so that a change also discards reads in progress.
      const rows = records.tenant(customerId, (tx) => read(tx, customerId, ...of))
      ofRead.set(key, { readAt: nowMs, rows })
      rows.catch(() => ofRead.delete(key))
      return rows
    },
  }
}
