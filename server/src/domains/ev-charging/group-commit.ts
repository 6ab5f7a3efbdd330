import { isAway } from '#platform/errors.ts'
import type { Records, Tx } from '#platform/records.ts'

/** Readings of the energy register of one outlet. */
export type Register = {
  customer_id: string
  charger_id: string
  evse_no: number
  at: Date
  context: string
  wh: string
}

type Work = (tx: Tx) => Promise<unknown>
type Item = {
  registers: readonly Register[]
  work: Work
  resolve: (done: unknown) => void
  reject: (error: unknown) => void
}

export type GroupCommit = {
  /** Registers and one piece of work in a transaction with those of others; resolves once it is committed. */
  commit: <T>(work: (tx: Tx) => Promise<T>, registers?: readonly Register[]) => Promise<T>
  waiting: () => number
}

const mostInGroup = 200
/** Rows of one insert, far below the 65,535 parameters that a statement may have. */
const mostRows = 2000

const saveRegisters = async (tx: Tx, rows: readonly Register[]) => {
  for (let from = 0; from < rows.length; from += mostRows)
    await tx
      .insertInto('charger_register')
      .values(rows.slice(from, from + mostRows))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/**
 * What chargers say at the same time is one transaction: while one is under way the next fills. A group that fails is taken apart, so that a
 * message that the store never takes costs itself only; each piece is tried twice, since of two processes one may have been quicker.
 */
export const openGroupCommit = (records: Records): GroupCommit => {
  const queue: Item[] = []
  let isRunning = false

  const together = async (items: readonly Item[]): Promise<unknown[]> =>
    records.system(async (tx) => {
      await saveRegisters(
        tx,
        items.flatMap(({ registers }) => registers),
      )
      const done: unknown[] = []
      for (const { work } of items) done.push(await work(tx))
      return done
    })

  const alone = async (item: Item) => {
    const done = await together([item]).catch(() => together([item]))
    item.resolve(done[0])
  }

  const run = async () => {
    isRunning = true
    while (queue.length > 0) {
      const items = queue.splice(0, mostInGroup)
      try {
        const done = await together(items)
        items.forEach((item, i) => item.resolve(done[i]))
      } catch (error) {
        if (isAway(error)) for (const item of items) item.reject(error)
        else for (const item of items) await alone(item).catch(item.reject)
      }
    }
    isRunning = false
  }

  return {
    commit: <T>(work: (tx: Tx) => Promise<T>, registers: readonly Register[] = []) =>
      new Promise<T>((resolve, reject) => {
        // What comes out of a piece of work goes back to who brought it.
        queue.push({ registers, work, resolve: resolve as (done: unknown) => void, reject })
        if (!isRunning) void run()
      }),
    waiting: () => queue.length,
  }
}
