import type { Insertable, Updateable } from 'kysely'
import type { SupportNote } from '#platform/records/db-types.ts'
import { page } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, lockRow, selectRows, updateRows } from '#platform/records/rows.ts'

const columns = ['note_id', 'title', 'description', 'released', 'enable'] as const

export const findNotes = (tx: Tx, customerId: string, paged: { limit: number; skip: number }) =>
  page(
    selectRows(tx, customerId, 'support_note')
      .select(columns)
      .orderBy('enable', 'desc')
      .orderBy('released', 'desc')
      .orderBy('note_id', 'desc'),
    paged,
  )

export const countNotes = (tx: Tx, customerId: string) => countRows(selectRows(tx, customerId, 'support_note'))

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

export const lockNote = (tx: Tx, customerId: string, noteId: string) =>
  lockRow(tx, customerId, 'support_note', { note_id: noteId }, columns)

export const saveNote = (tx: Tx, customerId: string, noteId: string, changed: Updateable<SupportNote>) =>
  updateRows(tx, customerId, 'support_note', { note_id: noteId })
    .set(changed)
    .returning(columns)
    .executeTakeFirstOrThrow()
