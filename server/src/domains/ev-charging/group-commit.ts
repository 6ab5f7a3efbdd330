import { sql } from 'kysely'
import { isAway } from '#platform/errors.ts'
import { insertRows } from '#platform/insert-rows.ts'
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
  isPatient: boolean
  resolve: (done: unknown) => void
  reject: (error: unknown) => void
}

export type GroupCommit = {
  /** Registers and one piece of work in a transaction with those of others; resolves once it is committed. */
  commit: <T>(work: (tx: Tx) => Promise<T>, registers?: readonly Register[]) => Promise<T>
  /** Registers alone. They wait for company: the series that belong to them take longer in any case. */
  keep: (registers: readonly Register[]) => Promise<void>
  waiting: () => number
}

const mostInGroup = 500
/** As long as an insert into the readings waits for company. */
const patienceMs = 20

const keyOf = ({ charger_id, evse_no }: Register) => `${charger_id} ${evse_no}`

const saveRegisters = async (tx: Tx, rows: readonly Register[]) => {
  if (rows.length === 0) return
  // In one order, so that of two processes none waits for the other in a circle.
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await sql`${insertRows('charger_register', inOrder)} on conflict do nothing`.execute(tx)
}

/**
 * What chargers say at the same time is one transaction: while one is under way the next fills. A group that fails is taken apart, so that a
 * message that the store never takes costs itself only; each piece is tried twice, since of two processes one may have been quicker.
 */
export const openGroupCommit = (records: Records): GroupCommit => {
  const queue: Item[] = []
  let isRunning = false
  let timer: NodeJS.Timeout | undefined

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
    clearTimeout(timer)
    timer = undefined
    do {
      const items = queue.splice(0, mostInGroup)
      try {
        const done = await together(items)
        items.forEach((item, i) => item.resolve(done[i]))
      } catch (error) {
        if (isAway(error)) for (const item of items) item.reject(error)
        else for (const item of items) await alone(item).catch(item.reject)
      }
    } while (queue.some(({ isPatient }) => !isPatient))
    isRunning = false
    wake()
  }
  const wake = () => {
    if (isRunning || queue.length === 0) return
    if (queue.every(({ isPatient }) => isPatient)) timer ??= setTimeout(() => void run(), patienceMs)
    else void run()
  }
  const add = <T>(work: (tx: Tx) => Promise<T>, registers: readonly Register[], isPatient: boolean) =>
    new Promise<T>((resolve, reject) => {
      // What comes out of a piece of work goes back to who brought it.
      queue.push({ registers, work, isPatient, resolve: resolve as (done: unknown) => void, reject })
      wake()
    })

  return {
    commit: (work, registers = []) => add(work, registers, false),
    keep: async (registers) => {
      if (registers.length > 0) await add(() => Promise.resolve(), registers, true)
    },
    waiting: () => queue.length,
  }
}
