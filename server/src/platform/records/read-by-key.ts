/** Cache time of an existing row, and of a missing one. */
const staleMs = 10_000
const missMs = 1000
/** Keys with and without a row. */
const mostKept = 200_000

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
    const [oldest] = kept.size > mostKept ? kept.keys() : []
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
