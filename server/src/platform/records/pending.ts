import { sql, type Transaction } from 'kysely'
import type { DB } from './db-types.ts'

type Tx = Transaction<DB>

/** Written right before the commit of a transaction: notifications, and rows of due work. */
export type Pending = { changes: string[]; marks: { table: string; key: object }[] }

const pendingOf = new WeakMap<Tx, Pending>()

export const openPending = (tx: Tx, pending: Pending = { changes: [], marks: [] }): Pending => {
  pendingOf.set(tx, pending)
  return pending
}

export const getPending = (tx: Tx): Pending => {
  const pending = pendingOf.get(tx)
  if (!pending) throw new Error('Not a transaction of the records')
  return pending
}

/** Runs `work` within a transaction; an error undoes only the changes of `work`. */
export const savepoint = async <T>(tx: Tx, work: () => Promise<T>): Promise<T> => {
  const { changes, marks } = getPending(tx)
  const before = { changes: changes.length, marks: marks.length }
  await sql`savepoint piece`.execute(tx)
  try {
    const done = await work()
    await sql`release savepoint piece`.execute(tx)
    return done
  } catch (error) {
    changes.length = before.changes
    marks.length = before.marks
    await sql`rollback to savepoint piece`.execute(tx).catch(() => {}) // the connection is closed; the original error has the cause
    throw error
  }
}

export const changeChannel = 'gridmast_change'

export const notifyChanges = (tx: Tx, changes: readonly string[]) =>
  sql`select pg_notify(${changeChannel}, change) from unnest(${changes}::text[]) as change`.execute(tx)
