import { afterAll, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import { newId } from './ids.ts'
import type { Tx } from './records.ts'
import {
  countRows,
  deleteRows,
  findRow,
  getRow,
  hasRow,
  insertRow,
  lockCustomer,
  lockRow,
  selectRows,
  updateRows,
} from './rows.ts'

const [one, other] = [newId(1), newId(2)]
const notes = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'support_note').select('title').orderBy('title').execute()
const noteIds = new Map<string, string>()

const records = await openTestRecords()
await records.system(async (tx) => {
  for (const customer_id of [one, other])
    await tx.insertInto('customer').values({ customer_id, key: customer_id, name: customer_id }).execute()
  for (const [customerId, title] of [
    [one, 'a'],
    [one, 'b'],
    [other, 'a'],
  ] as const) {
    const noteId = newId()
    noteIds.set(`${customerId} ${title}`, noteId)
    const note = { note_id: noteId, title, description: '', released: '2026-11-26', enable: title === 'a' }
    await insertRow(tx, customerId, 'support_note', note).execute()
  }
})
afterAll(() => records.close())

const key = (customerId: string, title: string) => ({ note_id: noteIds.get(`${customerId} ${title}`) ?? '' })

test('T1 a statement of one customer reads, changes and deletes no row of another, also in a system transaction', async () => {
  await records.system(async (tx) => {
    const foreign = key(other, 'a')
    expect(await findRow(tx, one, 'support_note', foreign, ['title'])).toBeUndefined()
    expect(await hasRow(tx, one, 'support_note', foreign)).toBe(false)
    await expect(getRow(tx, one, 'support_note', foreign, ['title'])).rejects.toMatchObject({ status: 404 })
    await expect(lockRow(tx, one, 'support_note', foreign, ['title'])).rejects.toMatchObject({ status: 404 })
    await updateRows(tx, one, 'support_note', foreign).set({ title: 'changed' }).execute()
    await deleteRows(tx, one, 'support_note', foreign).execute()
    expect(await notes(tx, other)).toEqual([{ title: 'a' }])
    expect(await notes(tx, one)).toEqual([{ title: 'a' }, { title: 'b' }])
  })
})

test('a key matches a value, one of a list or null, and is refused without a value', async () => {
  await records.system(async (tx) => {
    const ids = [key(one, 'a').note_id, key(other, 'a').note_id]
    expect(await countRows(selectRows(tx, one, 'support_note', { note_id: ids }))).toBe(1)
    expect(await countRows(selectRows(tx, one, 'support_note', { note_id: [] }))).toBe(0)
    expect(await countRows(selectRows(tx, one, 'support_note', { enable: true }))).toBe(1)
    expect(await countRows(selectRows(tx, one, 'charger', { site_id: null }))).toBe(0)
    expect(() => selectRows(tx, one, 'support_note', { note_id: undefined as never })).toThrow('has no value')
  })
})

test('a row is read, locked, changed and counted by its key', async () => {
  await records.tenant(one, async (tx) => {
    await lockCustomer(tx, one)
    expect(await getRow(tx, one, 'support_note', key(one, 'b'), ['title as name'])).toEqual({ name: 'b' })
    expect(await lockRow(tx, one, 'support_note', key(one, 'b'), ['enable'])).toEqual({ enable: false })
    await updateRows(tx, one, 'support_note', key(one, 'b')).set({ title: 'c' }).execute()
    expect(await countRows(selectRows(tx, one, 'support_note').select('title').orderBy('title'))).toBe(2)
    await deleteRows(tx, one, 'support_note', { title: 'c' }).execute()
    expect(await notes(tx, one)).toEqual([{ title: 'a' }])
  })
})
