import type { Bus } from '#platform/messaging/bus.ts'
import type { Records, Tx } from './records.ts'

/** Reads rows of one customer; equal arguments give equal rows. */
export type ReadRows<T, Of extends unknown[] = []> = (tx: Tx, customerId: string, ...of: Of) => Promise<T>

export type ReadCache = {
  /** Rows of `read` up to 0.9 s old, so that the calls of one screen share a read. Never modify the rows. Arguments are compared as JSON. */
  rows: <T, Of extends unknown[]>(customerId: string, nowMs: number, read: ReadRows<T, Of>, ...of: Of) => Promise<T>
  forget: () => void
}

/** The cache time of a session. */
const recalledMs = 900
const mostCustomers = 1000
const mostReads = 20

type Reading = { readAt: number; rows: Promise<unknown> }
type Readings = Map<string, Reading>

export const openReadCache = (records: Records, bus: Bus): ReadCache => {
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
      if (ofRead.size >= mostReads) ofRead.clear()
      // Stored before the read ends, so that a change also discards reads in progress.
      const rows = records.tenant(customerId, (tx) => read(tx, customerId, ...of))
      ofRead.set(key, { readAt: nowMs, rows })
      rows.catch(() => ofRead.delete(key))
      return rows
    },
  }
}

/** Cache time of an existing row, and of a missing one. */
const staleMs = 10_000
const missMs = 1000
const mostRows = 200_000

type ByKey<T> = {
  find: (key: string) => Promise<T | null>
  /** Rows have changed: cached rows, and those being read, are not used again. */
  forget: () => void
}

type Read<T> = { row: T | null; readAtMs: number }

/** Cached rows by key; keys requested during a read are read together in the next one. */
export const readByKey = <T>(
  readRows: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  now: () => number,
): ByKey<T> => {
  const kept = new Map<string, Read<T>>()
  let changes = 0
  let next: { keys: Set<string>; rows: Promise<ReadonlyMap<string, T>> } | undefined
  let reading: Promise<unknown> = Promise.resolve()

  const keep = (key: string, row: T | null) => {
    kept.delete(key)
    kept.set(key, { row, readAtMs: now() })
    const [oldest] = kept.size > mostRows ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
  }
  const readNext = () => {
    const keys = new Set<string>()
    const rows = reading.then(async () => {
      next = undefined
      const before = changes
      const found = await readRows([...keys])
      if (changes === before) for (const key of keys) keep(key, found.get(key) ?? null)
      return found
    })
    reading = rows.catch(() => {}) // each caller receives the error
    return { keys, rows }
  }
  return {
    find: async (key) => {
      for (;;) {
        const read = kept.get(key)
        if (read && now() - read.readAtMs <= (read.row === null ? missMs : staleMs)) return read.row
        const before = changes
        next ??= readNext()
        next.keys.add(key)
        const rows = await next.rows
        // A read that started before the newest change may miss it.
        if (changes === before) return rows.get(key) ?? null
      }
    },
    forget: () => {
      changes++
      kept.clear()
    },
  }
}
