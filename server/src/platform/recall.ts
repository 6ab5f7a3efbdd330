import type { News } from './news.ts'
import type { Records, Tx } from './records.ts'

/** Reads rows of one customer; the same function stands for the same rows. */
export type ReadRows<T> = (tx: Tx, customerId: string) => Promise<T>

export type Recall = {
  /**
   * What `read` found for the customer within the last 0.9 s, or finds now: the calls of one screen share what the first of them reads.
   * The rows are shared, nobody changes them.
   */
  rows: <T>(customerId: string, nowMs: number, read: ReadRows<T>) => Promise<T>
  /** Something changed in this process. */
  forget: () => void
}

/** As long as a session is believed. */
const recalledMs = 900
const mostCustomers = 1000

type Reading = { readAt: number; rows: Promise<unknown> }

export const openRecall = (records: Records, news: News): Recall => {
  const readings = new Map<string, Map<ReadRows<unknown>, Reading>>()
  const forget = () => readings.clear()
  const forgetCustomer = (id: unknown) => void readings.delete(String(id))
  news.hear('customer', forgetCustomer)
  news.hear('edges', forgetCustomer)
  news.hear('missed', forget)
  return {
    forget,
    rows: async <T>(customerId: string, nowMs: number, read: ReadRows<T>) => {
      if (readings.size >= mostCustomers) forget()
      const ofCustomer = readings.get(customerId) ?? new Map<ReadRows<unknown>, Reading>()
      readings.set(customerId, ofCustomer)
      const known = ofCustomer.get(read)
      if (known && nowMs >= known.readAt && nowMs - known.readAt < recalledMs) return known.rows as Promise<T> // found by this very function
      // Kept before it is answered, so that a change forgets also what was on its way when it came.
      const rows = records.tenant(customerId, (tx) => read(tx, customerId))
      ofCustomer.set(read, { readAt: nowMs, rows })
      rows.catch(() => ofCustomer.delete(read))
      return rows
    },
  }
}
