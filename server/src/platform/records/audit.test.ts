import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { canonical, entrySha256, verifyChain, writeAudit } from './audit.ts'
import { openTestWorld } from '#testing/records.ts'
import { idOf } from './ids.ts'
import { lockCustomer } from './rows.ts'

const records = await openTestWorld()
afterAll(() => records.close())

const [north, west] = [idOf('customer', 'north'), idOf('customer', 'west')]
const entry = { userId: null, who: 'test', action: 'prices.tax', subject: 'thing', result: 'ok' } as const

test('C4 the entries of a customer form a hash chain confirmed by recomputation', async () => {
  const customerId = north
  for (const n of [1, 2, 3]) {
    const values = { subject: `thing ${n}`, before: { b: 1, a: [n] }, after: { a: [n + 1], b: 2 } }
    await records.tenant(customerId, (tx) =>
      writeAudit(tx, customerId, Date.UTC(2026, 10, 20, 10, 0, n), { ...entry, ...values }),
    )
  }
  const rows = await records.tenant(customerId, (tx) =>
    tx.selectFrom('audit_entry').selectAll().orderBy('entry_no').execute(),
  )
  expect(rows.map((row) => row.entry_no)).toEqual([1, 2, 3])
  let previous: Buffer = createHash('sha256').update(`gridmast audit trail ${customerId}`).digest()
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

test('C4 the trail of one customer is not valid for another', async () => {
  const [from, to] = [north, west]
  expect((await verifyChain(records, from)).entries).toBe(3)
  const move = (a: string, b: string) =>
    records.owner((db) => db.updateTable('audit_entry').set({ customer_id: b }).where('customer_id', '=', a).execute())
  await move(from, to)
  expect(await verifyChain(records, to)).toEqual({ entries: 0, firstBroken: 1, newest: null })
  await move(to, from)
  expect((await verifyChain(records, from)).firstBroken).toBeNull()
})

test('C4 entries cannot be changed or removed', async () => {
  await expect(
    records.tenant(north, (tx) => tx.updateTable('audit_entry').set({ result: 'x' }).execute()),
  ).rejects.toThrow(/permission denied/)
  await expect(records.system((tx) => tx.deleteFrom('audit_entry').execute())).rejects.toThrow(/permission denied/)
})

test('canonical JSON does not depend on the order of keys', () => {
  expect(canonical({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe(canonical({ b: [1, { c: 'x', d: null }] }))
})

describe('C4 verification of stored entries', () => {
  const emptyTrail = async () => {
    await records.owner((db) => db.deleteFrom('audit_entry').where('customer_id', '=', west).execute())
    return west
  }
  const write = (customerId: string, text: string, after: unknown) => {
    const values = { who: text, subject: text, before: after, after, result: text, requestId: text }
    return records.tenant(customerId, (tx) =>
      writeAudit(tx, customerId, Date.UTC(2026, 10, 20), { ...entry, ...values }),
    )
  }

  test.each([
    'A\ud800B',
    '\udc00',
    '\u0000',
    'a\u0000b\\u0000',
    '\\ud800',
    '\u202e\u2028',
    'e\u0301 é 𝛀 👩‍👩‍👧',
    '\ufffe\uffff',
    '"\\"',
  ])('any text: %j', async (text) => {
    const customerId = await emptyTrail()
    await write(customerId, text, { [text]: [text, { [text]: text }] })
    await write(customerId, 'plain', null)
    expect(await verifyChain(records, customerId)).toMatchObject({ entries: 2, firstBroken: null })
  })

  test.each([
    [
      '-0, fractions, the smallest and the biggest',
      [-0, 1.0, 0.1 + 0.2, 5e-324, 1.797e308, 1e21, 123456789012345680000],
    ],
    ['values that JSON cannot represent', [Number.NaN, Infinity, undefined, () => {}, Symbol('x')]],
    ['keys in any order', { b: 1, a: 2, 10: 3, 9: 4, aa: 5, é: 6, __proto__x: 7, '': 8 }],
    ['a key that is special in JavaScript', JSON.parse('{"__proto__": 1, "constructor": {"toString": 2}}')],
    ['dates', { at: new Date(0) }],
  ])('any values: %s', async (_, value) => {
    const customerId = await emptyTrail()
    await write(customerId, 'text', value)
    await write(customerId, 'plain', null)
    expect(await verifyChain(records, customerId)).toMatchObject({ entries: 2, firstBroken: null })
  })

  test('a number beyond floats differs from a missing one', async () => {
    const customerId = await emptyTrail()
    await write(customerId, 'text', { price: null })
    await records.owner((db) =>
      sql`update audit_entry set after = '{"price": 1e400}' where customer_id = ${customerId}`.execute(db),
    )
    expect(await verifyChain(records, customerId)).toMatchObject({ entries: 0, firstBroken: 1 })
  })

  test('entries of an earlier format stay valid', async () => {
    const customerId = await emptyTrail()
    const content = {
      who: 'test',
      action: 'test.write',
      subject: 'æøå',
      before: null,
      after: { b: [1.5, null], a: 'é' },
      result: 'ok',
    }
    const at = new Date(Date.UTC(2026, 10, 20))
    const row = { entryNo: 1, at: at.toISOString(), userId: null, requestId: null, ...content }
    const sha256 = entrySha256(Buffer.alloc(32), row)
    expect(sha256.toString('hex')).toBe('480e5747d79c0d3352fd7097517388b2c89dc5f0191737c10a671888d36eeaa7')
    await records.owner((db) =>
      db
        .insertInto('audit_entry')
        .values({
          ...content,
          customer_id: customerId,
          entry_no: 1,
          at,
          after: JSON.stringify(content.after),
          previous_sha256: Buffer.alloc(32),
          sha256,
        })
        .execute(),
    )
    await write(customerId, 'next', null)
    expect(await verifyChain(records, customerId)).toMatchObject({ entries: 2, firstBroken: null })
  })
})

describe('C4 recomputation', () => {
  const chainOf = async (key: string, entries: number) => {
    const customerId = idOf('customer', key)
    await records.owner((db) => db.deleteFrom('audit_entry').where('customer_id', '=', customerId).execute())
    await records.tenant(customerId, async (tx) => {
      for (let n = 1; n <= entries; n++) {
        const after = { at: new Date(n), list: [undefined, n / 3], text: 'æøå \u2028' }
        await writeAudit(tx, customerId, Date.UTC(2026, 10, 20, 10, 0, 0, n), {
          ...entry,
          subject: `thing ${n}`,
          after,
        })
      }
    })
    return customerId
  }
  const tamper = (statement: string) => records.script(statement)

  test('a whole chain of two pages and an empty one are valid', async () => {
    const customerId = await chainOf('west', 1001)
    expect(await verifyChain(records, customerId)).toEqual({
      entries: 1001,
      firstBroken: null,
      newest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const empty = await chainOf('west', 0)
    expect(await verifyChain(records, empty)).toEqual({ entries: 0, firstBroken: null, newest: null })
  })

  test.each([
    ['a changed who', `update audit_entry set who = 'someone else' where entry_no = 3`, 3],
    ['a changed after', `update audit_entry set after = '{}' where entry_no = 4`, 4],
    ['a changed time', `update audit_entry set at = at + interval '1 ms' where entry_no = 1`, 1],
    ['a changed hash', `update audit_entry set sha256 = decode(repeat('00', 32), 'hex') where entry_no = 6`, 6],
    ['a removed entry', 'delete from audit_entry where entry_no = 3', 4],
    ['removed first entries', 'delete from audit_entry where entry_no < 3', 3],
    ['removed entries in the middle', 'delete from audit_entry where entry_no between 2 and 5', 6],
    [
      'two swapped entries',
      `update audit_entry set entry_no = 99 where entry_no = 2; update audit_entry set entry_no = 2 where entry_no = 3;
       update audit_entry set entry_no = 3 where entry_no = 99`,
      2,
    ],
    [
      'a removed entry with its number reused by the next',
      'delete from audit_entry where entry_no = 3; update audit_entry set entry_no = entry_no - 1 where entry_no > 3',
      3,
    ],
  ])('%s is detected', async (_, statement, firstBroken) => {
    const customerId = await chainOf('west', 6)
    await tamper(statement.replaceAll('where', `where customer_id = '${customerId}' and`))
    const found = await verifyChain(records, customerId)
    expect(found.firstBroken).toBe(firstBroken)
    expect(found.entries).toBeLessThan(6)
  })

  test('a missing number is detected, also with recomputed hashes', async () => {
    const customerId = await chainOf('west', 2)
    const rows = await records.owner((db) =>
      db.selectFrom('audit_entry').selectAll().where('customer_id', '=', customerId).orderBy('entry_no').execute(),
    )
    const [first, second] = rows
    if (!first || !second) throw new Error('expected two entries')
    const { at, who, action, subject, before, after, result } = second
    const values = { userId: null, who, action, subject, before, after, result, requestId: null }
    const forged = entrySha256(Buffer.from(first.sha256), { entryNo: 3, at: at.toISOString(), ...values })
    await records.owner((db) =>
      db
        .updateTable('audit_entry')
        .set({ entry_no: 3, sha256: forged })
        .where('customer_id', '=', customerId)
        .where('entry_no', '=', 2)
        .execute(),
    )
    expect(await verifyChain(records, customerId)).toMatchObject({ entries: 1, firstBroken: 3 })
  })

  test('missing newest entries are detected only by a hash stored elsewhere', async () => {
    const customerId = await chainOf('west', 6)
    const kept = (await verifyChain(records, customerId)).newest
    await records.owner((db) =>
      sql`delete from audit_entry where customer_id = ${customerId} and entry_no = 6`.execute(db),
    )
    const { firstBroken, newest } = await verifyChain(records, customerId)
    expect(firstBroken).toBeNull()
    expect(newest).not.toBe(kept)
  })
})

test.skipIf(records.embedded)(
  'the lock of a customer and that of its trail are taken in any order, without a deadlock',
  async () => {
    let [locked, written] = [() => {}, () => {}]
    const [isLocked, isWritten] = [
      new Promise<void>((resolve) => (locked = resolve)),
      new Promise<void>((resolve) => (written = resolve)),
    ]
    const adding = records.tenant(north, async (tx) => {
      await lockCustomer(tx, north)
      locked()
      await isWritten
      await writeAudit(tx, north, Date.UTC(2026, 10, 20), entry)
    })
    await isLocked
    await records.tenant(north, (tx) => writeAudit(tx, north, Date.UTC(2026, 10, 20), entry))
    written()
    await adding
    expect((await verifyChain(records, north)).firstBroken).toBeNull()
  },
)
