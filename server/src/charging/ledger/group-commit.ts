import { sql } from 'kysely'
import { isUnavailable, isConflict } from '#platform/http/errors.ts'
import { insertRows } from '#platform/records/rows.ts'
import { insertMarks } from '#platform/records/marks.ts'
import { savepoint } from '#platform/records/pending.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Readings } from '#readings/readings.ts'
import type { Run } from '#readings/writer.ts'

export type Register = {
  customer_id: string
  charger_id: string
  evse_no: number
  at: Date
  context: string
  wh: string
}

export type Kept = { registers: readonly Register[]; runs: readonly Run[] }
const nothing: Kept = { registers: [], runs: [] }

type Work = (tx: Tx) => Promise<unknown>
type Item = Kept & {
  work: Work | null
  resolve: (done: unknown) => void
  reject: (error: unknown) => void
}

type GroupCommit = {
  /** Commits readings and one unit of work in a shared transaction; resolves once it is committed and the series are on disk. */
  commit: <T>(work: (tx: Tx) => Promise<T>, kept?: Kept) => Promise<T>
  keep: (kept: Kept) => Promise<void>
  waiting: () => number
}

const mostInGroup = 500
/** A group costs the store 0.7 ms of CPU regardless of its size. */
const patienceMs = 8

const keyOf = ({ charger_id, evse_no }: Register) => `${charger_id} ${evse_no}`

export const saveRegisters = async (tx: Tx, rows: readonly Register[]) => {
  if (rows.length === 0) return
  // A fixed order, so that two processes cannot deadlock.
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  // Marked by the same statement: a second one added 0.6 ms to a group of one message (measured).
  const days = sql`(select customer_id, charger_id, evse_no, timezone('UTC', at)::date as day from added)`
  await sql`
    with added as (${insertRows('charger_register', inOrder)} on conflict do nothing returning customer_id, charger_id, evse_no, at)
    ${insertMarks('charging_due', days)}`.execute(tx)
}

/**
 * Messages that arrive at the same time share a transaction: while one runs, the next fills. A failed group is repeated with a savepoint per item, so
 * that a message that the store never accepts affects only itself; that item is tried twice more alone, because another process may have been first.
 * Series and ledger both accept the same reading twice, so a crash between them loses nothing: the charger has no answer and repeats the message.
 */
export const openGroupCommit = (records: Records, readings: Pick<Readings, 'append'>): GroupCommit => {
  const queue: Item[] = []
  let isRunning = false
  let isBusy = false
  let timer: NodeJS.Timeout | undefined

  const store = async <T>(items: readonly Item[], work: (tx: Tx) => Promise<T>): Promise<T> => {
    const runs = items.flatMap((item) => item.runs)
    const storing = records.system(async (tx) => {
      // The job that counts waits for transactions by their number (`isSettled` in count.ts), so it is there before marks are read.
      if (!records.embedded) await sql`select pg_current_xact_id()`.execute(tx)
      return work(tx)
    })
    const [done] = await Promise.all([storing, runs.length > 0 ? readings.append(runs) : null])
    return done
  }
  const together = (items: readonly Item[]): Promise<unknown[]> =>
    store(items, async (tx) => {
      await saveRegisters(
        tx,
        items.flatMap(({ registers }) => registers),
      )
      const results: unknown[] = []
      for (const { work } of items) results.push(work && (await work(tx)))
      return results
    })
  const apart = async (items: readonly Item[]): Promise<Item[]> => {
    const done = await store(items, async (tx) => {
      const results: { isDone: boolean; result?: unknown }[] = []
      for (const { registers, work } of items) {
        try {
          const result = await savepoint(tx, async () => {
            await saveRegisters(tx, registers)
            return work && (await work(tx))
          })
          results.push({ isDone: true, result })
        } catch (error) {
          if (isUnavailable(error)) throw error
          results.push({ isDone: false })
        }
      }
      return results
    })
    items.forEach((item, i) => done[i]?.isDone && item.resolve(done[i].result))
    return items.filter((_, i) => !done[i]?.isDone)
  }
  const alone = async (item: Item) => {
    const done = await together([item]).catch(() => together([item]))
    item.resolve(done[0])
  }

  const run = async () => {
    isRunning = true
    clearTimeout(timer)
    timer = undefined
    do {
      const items = queue.splice(0, mostInGroup)
      isBusy = items.length > 1
      try {
        const done = await together(items)
        items.forEach((item, i) => item.resolve(done[i]))
      } catch (error) {
        if (isUnavailable(error) && !isConflict(error)) for (const item of items) item.reject(error)
        else for (const item of await apart(items).catch(() => items)) await alone(item).catch(item.reject)
      }
    } while (queue.some(({ work }) => work))
    isRunning = false
    wake()
  }
  const wake = () => {
    if (isRunning || queue.length === 0) return
    if (isBusy && queue.every(({ work }) => !work)) timer ??= setTimeout(() => void run(), patienceMs)
    else void run()
  }
  const add = <T>(work: ((tx: Tx) => Promise<T>) | null, kept: Kept) =>
    new Promise<T>((resolve, reject) => {
      // The result of the work has the type of its caller.
      queue.push({ ...kept, work, resolve: resolve as (done: unknown) => void, reject })
      wake()
    })

  return {
    commit: (work, kept = nothing) => add(work, kept),
    keep: async (kept) => {
      if (kept.registers.length > 0 || kept.runs.length > 0) await add(null, kept)
    },
    waiting: () => queue.length,
  }
}
