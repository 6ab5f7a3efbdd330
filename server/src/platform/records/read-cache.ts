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
const validMs = 900
const maxCustomers = 1000
const maxReads = 20

type CachedRead = { readAt: number; rows: Promise<unknown> }
type ReadsByArguments = Map<string, CachedRead>

export const openReadCache = (records: Records, bus: Bus): ReadCache => {
  const reads = new Map<string, Map<unknown, ReadsByArguments>>()
  const forget = () => reads.clear()
  const forgetCustomer = (id: unknown) => void reads.delete(String(id))
  bus.listen('customer', forgetCustomer)
  bus.listen('edges', forgetCustomer)
  bus.listen('resync', forget)
  return {
    forget,
    rows: async <T, Of extends unknown[]>(customerId: string, nowMs: number, read: ReadRows<T, Of>, ...of: Of) => {
      if (reads.size >= maxCustomers) forget()
      const ofCustomer = reads.get(customerId) ?? new Map<unknown, ReadsByArguments>()
      reads.set(customerId, ofCustomer)
      const ofRead: ReadsByArguments = ofCustomer.get(read) ?? new Map<string, CachedRead>()
      ofCustomer.set(read, ofRead)
      const key = JSON.stringify(of)
      const cached = ofRead.get(key)
      if (cached && nowMs >= cached.readAt && nowMs - cached.readAt < validMs) return cached.rows as Promise<T> // stored for this very function
      if (ofRead.size >= maxReads) ofRead.clear()
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
const maxRows = 200_000

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
  const cache = new Map<string, Read<T>>()
  let changes = 0
  let next: { keys: Set<string>; rows: Promise<ReadonlyMap<string, T>> } | undefined
  let reading: Promise<unknown> = Promise.resolve()

  const keep = (key: string, row: T | null) => {
    cache.delete(key)
    cache.set(key, { row, readAtMs: now() })
    const [oldest] = cache.size > maxRows ? cache.keys() : []
    if (oldest !== undefined) cache.delete(oldest)
  }
  const readNext = () => {
    const keys = new Set<string>()
    const rows = reading.then(async () => {
      next = undefined
      const before = changes
      const rowsByKey = await readRows([...keys])
      if (changes === before) for (const key of keys) keep(key, rowsByKey.get(key) ?? null)
      return rowsByKey
    })
    reading = rows.catch(() => {}) // each caller receives the error
    return { keys, rows }
  }
  return {
    find: async (key) => {
      for (;;) {
        const read = cache.get(key)
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
      cache.clear()
    },
  }
}
