import { afterAll, beforeAll, expect, test } from 'vitest'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { canonical, entrySha256, writeAudit } from './audit.ts'
import type { Records } from './records.ts'
import { openTestRecords } from '#testing/records.ts'

let records: Records
beforeAll(async () => {
  records = await openTestRecords()
  await provisionTwoCustomers(records)
})
afterAll(() => records.close())

test('C4 entries of a customer form one hash chain that a recomputation confirms', async () => {
  const [customer] = await records.system((tx) => tx.selectFrom('customer').selectAll().execute())
  const customerId = customer?.customer_id ?? ''
  for (const n of [1, 2, 3])
    await records.tenant(customerId, (tx) =>
      writeAudit(tx, customerId, Date.UTC(2026, 10, 20, 10, 0, n), {
        userId: null,
        who: 'test',
        action: 'test.write',
        subject: `thing ${n}`,
        before: { b: 1, a: [n] },
        after: { a: [n + 1], b: 2 },
        result: 'ok',
      }),
    )
  const rows = await records.tenant(customerId, (tx) =>
    tx.selectFrom('audit_entry').selectAll().orderBy('entry_no').execute(),
  )
  expect(rows.map((row) => row.entry_no)).toEqual([1, 2, 3])
  let previous: Buffer = Buffer.alloc(32)
  for (const row of rows) {
    const recomputed = entrySha256(previous, {
      entryNo: row.entry_no,
      at: row.at.toISOString(),
      userId: row.user_id,
      who: row.who,
      action: row.action,
      subject: row.subject,
      before: row.before,
      after: row.after,
      result: row.result,
      requestId: row.request_id,
    })
    expect(Buffer.from(row.sha256).equals(recomputed)).toBe(true)
    previous = recomputed
  }
})

test('C4 nobody may change or remove an entry', async () => {
  const [customer] = await records.system((tx) => tx.selectFrom('customer').selectAll().execute())
  await expect(
    records.tenant(customer?.customer_id ?? '', (tx) => tx.updateTable('audit_entry').set({ result: 'x' }).execute()),
  ).rejects.toThrow(/permission denied/)
  await expect(records.system((tx) => tx.deleteFrom('audit_entry').execute())).rejects.toThrow(/permission denied/)
})

test('canonical JSON does not depend on the order of keys', () => {
  expect(canonical({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe(canonical({ b: [1, { c: 'x', d: null }] }))
})
