import { sql } from 'kysely'
import type { Tx } from '#platform/records.ts'
import { getStandIn, type Person } from './queries.ts'

/**
 * Does for an unknown e-mail the very work that is done for a known one, for another account, and takes it back: the store is
 * asked the same, so the time tells nothing (security rules S3, S4).
 */
export const forThemOrNoOne = async (
  tx: Tx,
  person: Person | undefined,
  work: (whom: Person) => Promise<void>,
): Promise<void> => {
  const standIn = await getStandIn(tx)
  const whom = person ?? standIn
  if (!whom) return
  await sql`savepoint stand_in`.execute(tx)
  await work(whom)
  await (person ? sql`release savepoint stand_in` : sql`rollback to savepoint stand_in`).execute(tx)
}
