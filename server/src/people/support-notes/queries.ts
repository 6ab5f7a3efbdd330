import type { Insertable, Updateable } from 'kysely'
import type { SupportNote } from '#platform/records/db-types.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'

const columns = ['note_id', 'title', 'description', 'released', 'enable'] as const

export const findNotes = (tx: Tx, customerId: string, page: { limit: number; skip: number }) =>
  tx
    .selectFrom('support_note')
    .select(columns)
    .where('customer_id', '=', customerId)
    .orderBy('enable', 'desc')
    .orderBy('released', 'desc')
    .orderBy('note_id', 'desc')
    .limit(page.limit)
    .offset(page.skip)
    .execute()

export const countNotes = async (tx: Tx, customerId: string): Promise<number> => {
  const found = await tx
    .selectFrom('support_note')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return found.count
}

/** Who writes, for the mail. The customer's row is held, so that two who write at once do not both get the last place. */
export const lockAuthor = (tx: Tx, customerId: string, userId: string) =>
  tx
    .selectFrom('customer as c')
    .innerJoin('app_user as u', 'u.customer_id', 'c.customer_id')
    .select(['c.name as company', 'u.name', 'u.email'])
    .where('c.customer_id', '=', customerId)
    .where('u.user_id', '=', userId)
    .forUpdate('c')
    .executeTakeFirstOrThrow()

export const addNote = (tx: Tx, note: Insertable<SupportNote>) =>
  tx.insertInto('support_note').values(note).returning(columns).executeTakeFirstOrThrow()

/** Held until the transaction ends; 404 when it is not this customer's. */
export const lockNote = async (tx: Tx, customerId: string, noteId: string) => {
  const found = await tx
    .selectFrom('support_note')
    .select(columns)
    .where('customer_id', '=', customerId)
    .where('note_id', '=', noteId)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound()
  return found
}

export const saveNote = (tx: Tx, customerId: string, noteId: string, changed: Updateable<SupportNote>) =>
  tx
    .updateTable('support_note')
    .set(changed)
    .where('customer_id', '=', customerId)
    .where('note_id', '=', noteId)
    .returning(columns)
    .executeTakeFirstOrThrow()
