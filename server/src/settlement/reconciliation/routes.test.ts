import * as contract from '@gridmast/contract/settlement/reconciliation.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import {
  addBid,
  type Bidder,
  changeBids,
  clear,
  decide,
  measure,
  placeRequest,
  setContract,
  settleDue,
} from '#testing/settlements.ts'
import { storedRows } from '#testing/rows.ts'
import { removeLines } from './day-queries.ts'
import { markStatements } from '#settlement/economics/due-queries.ts'
import { addStatement } from './queries.ts'
import { recompareDue } from './recompare.ts'

const first = '2026-09-01'
const second = addDays(first, 1)

let of: Bidder
const settle = () => settleDue(app, 0)
const app = await openTestApp()
app.setNow('2026-09-10T06:00:00Z')
const token = await app.tokenOf('expert@north.example')
afterAll(() => app.close())
beforeEach(async () => {
  await app.byHand((tx) => tx.deleteFrom('operator_statement').execute())
  await clear(app)
  await app.byHand((tx) => tx.deleteFrom('bid_request').execute())
  of = await placeRequest(app.records, first)
  await setContract(app.records, of)
  for (const day of [first, second]) {
    for (const slot of [10, 11]) await addBid(app.records, of, day, slot)
    await measure(app, of, day)
  }
  await decide(app.records, '2.50')
  await settle()
})

// 0.4 MW x 2.50 = 1.00 an hour, 0.70 of it for the company.
const names = 'Instance;Product;Start (UTC);MW;Price (EUR/MW);Customer (EUR)'
const utc = (day: string, slot: number) =>
  new Date(dayBounds(day).fromMs + slot * hourMs).toISOString().slice(0, 16).replace('T', ' ')
const line = (day: string, slot: number, [mw, price, eur] = ['0,4', '2,50', '0,70'], instance = 'North Cold') =>
  [instance, 'fcr-d-dec', utc(day, slot), mw, price, eur].join(';')
const agreeing = [line(first, 10), line(first, 11), line(second, 10), line(second, 11)]
const differing = [line(first, 10), line(first, 11, ['0,4', '3,00', '0,84']), line(second, 10, ['0,2', '2,50', '0,35'])]

const take = (lines: string[], body: object = {}, as = token, name = 'september.csv') =>
  app.ask(contract.takeStatement, {
    token: as,
    body: { save: false, ...body },
    file: { field: 'file', name, bytes: new Uint8Array(Buffer.from([names, ...lines].join('\n'))) },
  })
const save = async (lines: string[], body: object = {}) => {
  const { status, body: answer } = await take(lines, { save: true, ...body })
  expect([status, answer.message]).toEqual([200, undefined])
  return { id: answer.data.savedAs ?? '' }
}
const get = async (id: string, query: Record<string, string> = {}, as = token) =>
  await app.data(contract.getReconciliation, { token: as, params: { id }, query })
const trail = () => app.trail('reconciliation.%')

test('an equal statement has no difference, and a preview stores nothing', async () => {
  const { data } = (await take(agreeing)).body
  expect(data.counts).toMatchObject({ rows: 4, agrees: 4, differs: 0, foreign: 0, wrong: 0, 'not-in-statement': 0 })
  expect(data.sums).toMatchObject({ oursEur: '2.80', theirsEur: '2.80', differenceEur: '0.00' })
  expect([data.days, data.savedAs]).toEqual([{ first, last: second }, null])
  const list = await app.ask(contract.findStatements, { token })
  expect(list.body.data).toEqual({ statements: [], totalCount: 0 })
})

test('C4 differences are listed with their parts, largest first, with omitted bids, and are on the trail', async () => {
  const { id } = await save(differing)
  const { statement, lines, sums, totalCount } = await get(id)
  expect(statement).toMatchObject({
    name: 'september.csv',
    takenBy: 'expert@north.example',
    firstDay: first,
    lastDay: second,
    lines: 4,
    unsettled: 3,
    settled: 0,
    changed: 0,
    open: 0,
    leftOut: 0,
    oursEur: '2.80',
    theirsEur: '1.89',
    differenceEur: '-0.91',
    unsettledEur: '-0.91',
  })
  expect(totalCount).toBe(3)
  expect(
    lines.map(({ kind, row, differenceEur, parts }) => [kind, row, differenceEur, parts?.volume, parts?.price]),
  ).toEqual([
    ['not-in-statement', null, '-0.70', '-0.70', '0.00'],
    ['differs', 4, '-0.35', '-0.35', '0.00'],
    ['differs', 3, '0.14', '0.00', '0.14'],
  ])
  expect(sums).toMatchObject({ differenceEur: '-0.91', parts: { volume: '-1.05', price: '0.14', other: '0.00' } })
  expect((await get(id, { cause: 'price' })).lines.map(({ row }) => row)).toEqual([3])
  expect((await get(id, { show: 'agrees' })).lines.map(({ row }) => row)).toEqual([2])
  expect((await trail()).at(-1)).toMatchObject({
    action: 'reconciliation.take',
    subject: 'september.csv',
    after: { differs: 2 },
  })
})

test('C4 a difference is settled with a note, user and time, and reopened, with both on the trail', async () => {
  const { id } = await save(differing)
  const [missing] = (await get(id)).lines
  const body = { lineId: missing?._id ?? '', count: 1, note: 'Paid in October' }
  const answer = await app.ask(contract.settleDifferences, { token, params: { id }, body })
  expect([answer.status, answer.body.message]).toEqual([200, m.differenceSettled])
  expect((await get(id)).lines).toHaveLength(2)
  expect((await get(id, { show: 'settled' })).lines).toMatchObject([
    {
      _id: missing?._id,
      settled: {
        at: '2026-09-10T06:00:00.000Z',
        by: 'expert@north.example',
        note: 'Paid in October',
        differenceEur: '-0.70',
        version: 1,
        isChanged: false,
      },
    },
  ])
  expect((await app.ask(contract.settleDifferences, { token, params: { id }, body })).status).toBe(409)
  const again = { token, params: { id }, body: { lineId: missing?._id ?? '' } }
  expect((await app.ask(contract.reopenDifference, again)).body.message).toBe(m.differenceReopened)
  expect((await app.ask(contract.reopenDifference, again)).status).toBe(409)
  expect((await get(id)).lines).toHaveLength(3)
  expect((await trail()).slice(-2)).toMatchObject([
    {
      action: 'reconciliation.settle',
      who: 'expert@north.example',
      after: { note: 'Paid in October', differenceEur: '-0.7' },
    },
    { action: 'reconciliation.reopen', before: { note: 'Paid in October', differenceEur: '-0.70' } },
  ])
})

test('C4 chosen differences are settled with one note; a settled one is refused with its reason and keeps its note', async () => {
  const { id } = await save(differing)
  const [first, second] = (await get(id)).lines
  const ids = [first?._id ?? '', second?._id ?? '']
  const ask = (body: { ids: string[]; note: string }, owner = token) =>
    app.ask(contract.settleLines, { token: owner, params: { id }, body })
  expect((await ask({ ids: ids.slice(0, 1), note: 'First' })).body.data).toEqual({ done: ids.slice(0, 1), failed: [] })
  expect((await ask({ ids, note: 'Both' })).body.data).toEqual({
    done: [ids[1]],
    failed: [{ _id: ids[0], message: m.differencesChanged }],
  })
  const settled = (await get(id, { show: 'settled' })).lines
  expect(new Map(settled.map((line) => [line._id, line.settled?.note]))).toEqual(
    new Map([
      [ids[0] ?? '', 'First'],
      [ids[1] ?? '', 'Both'],
    ]),
  )
  expect((await ask({ ids, note: '' })).status).toBe(400)
  expect((await ask({ ids, note: 'x' }, await app.tokenOf('sudoer@west.example'))).status).toBe(404)
})

test('R4 all differences of a cause are settled at once if their count is unchanged', async () => {
  const { id } = await save(differing)
  const ask = (body: object) => app.ask(contract.settleDifferences, { token, params: { id }, body })
  const refused = await ask({ cause: 'volume', count: 1, note: 'x' })
  expect([refused.status, refused.body.message]).toEqual([409, m.differencesChanged])
  expect((await get(id)).statement).toMatchObject({ unsettled: 3, settled: 0 })
  expect((await ask({ cause: 'volume', count: 2, note: 'Agreed by phone' })).body.data).toEqual({ count: 2 })
  expect((await get(id)).statement).toMatchObject({ unsettled: 1, settled: 2, unsettledEur: '0.14' })
})

test('a corrected settlement is compared again, and a settled line is flagged as changed', async () => {
  const { id } = await save(differing)
  await recompareDue(app)
  expect((await get(id)).statement).toMatchObject({ unsettled: 3, changed: 0 })
  const found = (await get(id)).lines.find(({ row }) => row === 4)
  await app.ask(contract.settleDifferences, {
    token,
    params: { id },
    body: { lineId: found?._id, count: 1, note: 'Known' },
  })
  await decide(app.records, '3.00')
  await settle()
  await recompareDue(app)
  const { statement, lines } = await get(id, { show: 'changed' })
  expect(statement).toMatchObject({ settled: 1, changed: 1 })
  // The settlement is 0.4 x 3.00 x 70 % = 0.84, the statement 0.2 x 2.50 x 70 %.
  expect(lines).toMatchObject([
    {
      row: 4,
      version: 2,
      oursEur: '0.84',
      theirsEur: '0.35',
      differenceEur: '-0.49',
      settled: { differenceEur: '-0.35', version: 1, isChanged: true, note: 'Known' },
    },
  ])
  const unsettled = await get(id)
  expect(unsettled.lines.map(({ row, differenceEur }) => [row, differenceEur])).toEqual([
    [null, '-0.84'],
    [2, '-0.14'],
  ])
  expect((await get(id, { show: 'agrees' })).lines.map(({ row }) => row)).toEqual([3])
})

test('a day settled after the import is compared, and a deleted settlement removes its line', async () => {
  await app.byHand((tx) => tx.deleteFrom('settlement').where('day', '=', second).execute())
  const { id } = await save(agreeing)
  expect((await get(id)).lines.map(({ kind }) => kind)).toEqual(['not-settled', 'not-settled'])
  await app.byHand((tx) =>
    tx
      .insertInto('settlement_due')
      .values({ customer_id: of.customer_id, instance_id: of.instance_id, day: second })
      .onConflict((at) => at.doNothing())
      .execute(),
  )
  await settle()
  await recompareDue(app)
  expect((await get(id)).statement).toMatchObject({ unsettled: 0, lines: 4 })
  await changeBids(app.records, (tx) => tx.deleteFrom('bid').where('day', '=', first).where('slot', '=', 11).execute())
  await settle()
  await recompareDue(app)
  expect((await get(id)).lines.map(({ kind, row }) => [kind, row])).toEqual([['not-settled', 3]])
})

const marks = () => storedRows(app.records, 'reconciliation_due', {}, ['day', 'marked_at'], ['day'])

test('an existing mark is renewed', async () => {
  await save(agreeing)
  const past = new Date('2026-01-01T00:00:00Z')
  await app.byHand((tx) => tx.updateTable('reconciliation_due').set({ marked_at: past }).execute())
  await decide(app.records, '3.00')
  await settle()
  expect((await marks()).filter(({ marked_at }) => marked_at.getTime() === past.getTime())).toEqual([])
})

const changeSettlements = (day: string, set: RawBuilder<unknown>) =>
  app.records.system(async (tx) => {
    await sql`update settlement set ${set} where day = ${day}`.execute(tx)
    const keys = ['customer_id', 'instance_id', 'day', 'product'] as const
    await markStatements(tx, await tx.selectFrom('settlement').select(keys).where('day', '=', day).execute())
  })

test('a day that cannot be compared does not delay the others and waits for a change of its settlement', async () => {
  const { id } = await save([line(first, 10), line(second, 10)])
  await recompareDue(app)
  await changeSettlements(
    first,
    sql`gross_eur = 0, inputs = jsonb_set(inputs, '{bids,0,capacityEur}', '"9000000000000"')`,
  )
  await changeSettlements(second, sql`inputs = jsonb_set(inputs, '{bids,0,capacityEur}', '"2"')`)
  await recompareDue(app)
  expect((await get(id, { show: 'all' })).lines.find(({ row }) => row === 3)).toMatchObject({ oursEur: '1.40' })
  expect((await marks()).map((one) => one.day)).toEqual([first])
  await recompareDue(app)
  await decide(app.records, '3.00')
  await settle()
  await recompareDue(app)
  expect(await marks()).toEqual([])
  expect((await get(id, { show: 'all' })).lines.find(({ row }) => row === 2)).toMatchObject({ oursEur: '0.84' })
})

test('a day settled during the import without a row is compared', async () => {
  await app.records.system((tx) =>
    addStatement(
      tx,
      {
        customer_id: of.customer_id,
        statement_id: newId(),
        name: 'x.csv',
        sha256: Buffer.alloc(32),
        columns: {},
        taken_at: new Date(),
        taken_by: 'x',
        first_day: first,
        last_day: second,
        products: ['FCR-D-DEC'],
        compares: 'customer',
        left_out: 0,
      },
      [],
    ),
  )
  await recompareDue(app)
  const { statements } = await app.data(contract.findStatements, { token })
  expect(statements).toMatchObject([{ lines: 2, differenceEur: '-2.80' }])
})

test('a line that is settled before its removal stays with its note', async () => {
  const { id } = await save(differing)
  const [before] = (await get(id)).lines
  await app.ask(contract.settleDifferences, {
    token,
    params: { id },
    body: { lineId: before?._id, count: 1, note: 'Known' },
  })
  const row = { customer_id: of.customer_id, statement_id: id, line_id: before?._id ?? '' }
  expect(await app.records.system((tx) => removeLines(tx, [row]))).toEqual([row])
  expect((await get(id, { show: 'settled' })).lines).toMatchObject([{ settled: { note: 'Known' } }])
})

describe('invalid input', () => {
  test('the same file twice names the first import and stores nothing', async () => {
    const { id } = await save(agreeing)
    const { data } = (await take(agreeing, { save: true })).body
    expect(data).toMatchObject({
      before: { _id: id, name: 'september.csv', takenBy: 'expert@north.example' },
      savedAs: null,
    })
    expect((await app.data(contract.findStatements, { token })).totalCount).toBe(1)
  })

  test('T5 rows of another company are omitted after a confirmation, without any hint', async () => {
    const lines = [...agreeing, line(first, 10, undefined, 'West Hub'), line(first, 10, undefined, 'Nobody')]
    const { data } = (await take(lines)).body
    expect(data.counts).toMatchObject({ rows: 6, foreign: 2, agrees: 4 })
    expect(JSON.stringify(data)).not.toMatch(/west/i)
    const refused = await take(lines, { save: true })
    expect([refused.status, refused.body.message]).toEqual([409, m.leftOutChanged])
    expect((await get((await save(lines, { leftOut: 2 })).id, { show: 'all' })).statement).toMatchObject({
      lines: 4,
      leftOut: 2,
    })
  })

  test('a file without a row of the company is refused', async () => {
    const { status, body } = await take([line(first, 10, undefined, 'West Hub')])
    expect([status, body.errors]).toEqual([400, { file: m.noInstanceInFile }])
    const unreadable = await take([line(first, 10).replace(/[^,;]+$/, 'NaN')], { save: true })
    expect([unreadable.status, unreadable.body.errors]).toEqual([400, { file: m.noRowUnderstood }])
  })

  test('another currency and missing columns are reported before the comparison, and columns can be set manually', async () => {
    const bytes = (text: string) => ({ field: 'file', name: 'x.csv', bytes: new Uint8Array(Buffer.from(text)) })
    const ask = (text: string, columns?: object) =>
      app.ask(contract.takeStatement, {
        token,
        body: { save: false, ...(columns ? { columns } : {}) },
        file: bytes(text),
      })
    const kroner = await ask([names.replace('(EUR)', '(DKK)'), ...agreeing].join('\n'))
    expect(kroner.body.data).toMatchObject({ missing: m.statementNoAmount })
    const byHand = { instance: 'Instance', product: 'Product', start: 'Start (UTC)', customer: 'Customer (DKK)' }
    const set = await ask([names.replace('(EUR)', '(DKK)'), ...agreeing].join('\n'), byHand)
    expect(set.body.data.missing).toBe(m.statementCurrency('DKK'))
    const odd = await ask(['A;B;C;D;E;F', ...agreeing].join('\n'), {
      instance: 'A',
      product: 'B',
      start: 'C',
      customer: 'F',
    })
    // Without a zone in its name the start is local time: two hours earlier.
    expect(odd.body.data.counts).toMatchObject({ rows: 4, 'not-settled': 4 })
  })

  test('a statement of more than 400 days is refused', async () => {
    const { status, body } = await take([line(first, 10), line(addDays(first, -400), 10)])
    expect([status, body.errors]).toEqual([400, { file: m.statementSpan(400) }])
  })
})

test('R1 T1 an auditor reads a statement and changes nothing, and another company reads none', async () => {
  const { id } = await save(differing)
  const auditor = await app.tokenOf('auditor@north.example')
  expect((await get(id, {}, auditor)).totalCount).toBe(3)
  expect((await take(differing, {}, auditor)).status).toBe(403)
  expect((await app.ask(contract.removeReconciliation, { token: auditor, params: { id } })).status).toBe(403)
  const west = await app.tokenOf('sudoer@west.example')
  expect((await app.ask(contract.getReconciliation, { token: west, params: { id } })).status).toBe(404)
  expect((await app.ask(contract.removeReconciliation, { token: west, params: { id } })).status).toBe(404)
})

test('C4 a statement is removed with its lines and can be imported again', async () => {
  const { id } = await save(agreeing)
  const { body } = await app.ask(contract.removeReconciliation, { token, params: { id } })
  expect(body.message).toBe(m.reconciliationRemoved)
  expect((await trail()).at(-1)).toMatchObject({
    action: 'reconciliation.remove',
    before: { name: 'september.csv', lines: 4 },
  })
  expect((await take(agreeing)).body.data.before).toBeNull()
})

test('the file has all lines of the filter with their parts', async () => {
  const { id } = await save(differing)
  const { text } = await app.ask(contract.getReconciliation, {
    token,
    params: { id },
    query: { format: 'csv', show: 'unsettled' },
  })
  const [head, largest, ...others] = text.trim().split('\r\n')
  expect(head).toContain(
    'Row,Date,Start (Europe/Berlin),Start (UTC),Instance,Type,Auction,State,Ours (€),Statement (€),Difference (€),Volume (€)',
  )
  expect(largest).toContain('North Cold,FCR-D-DEC,,Not in the statement,0.7,,-0.7,-0.7,0')
  expect(others).toHaveLength(2)
})
