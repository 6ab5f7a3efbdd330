import { getChargerTransaction } from '@gridmast/contract/charging/sessions.ts'
import { afterAll, expect, test } from 'vitest'
import { saveRegisters } from '#charging/ledger/group-commit.ts'
import { markSessions } from '#charging/ledger/transactions.ts'
import { openTestApp } from '#testing/app.ts'
import { changeRows, storedRows } from '#testing/rows.ts'
import {
  addPricedCharger,
  chargerId,
  count,
  putDay,
  putEmission,
  putRegisters,
  putSession,
  registerRows,
} from './costs.fixture.ts'

const app = await openTestApp()
app.setNow('2026-11-22T12:00:00Z')
await addPricedCharger(app, 'CP')
const token = await app.tokenOf('sudoer@north.example')
await putDay(app, '2026-11-20', (index) => 100 * index)
await putEmission(app, '2026-11-20', 50)
afterAll(() => app.close())

const costOf = async (id: string) => (await app.data(getChargerTransaction, { token, params: { id } })).transaction.cost
const due = () => storedRows(app.records, 'charging_due')
const rowOf = async (id: string) => (await storedRows(app.records, 'charging_cost', { transaction_id: id }))[0]

/** 10:10 to 10:40 Danish time lies in the quarters 40, 41 and 42, at 4000, 4100 and 4200 DKK/MWh. */
const example = {
  identity: 'CP',
  from: '2026-11-20T09:10:00Z',
  to: '2026-11-20T09:40:00Z',
  wh: 5500,
  readings: [
    ['2026-11-20T09:20:00Z', 1000],
    ['2026-11-20T09:30:00Z', 4000],
  ] satisfies [string, number][],
}
const bare = (from: string, to: string) => ({ ...example, from, to, readings: [] })

test('the cost of a session has the price of each quarter, and nothing is due after it', async () => {
  const id = await putSession(app, example)
  expect(await costOf(id)).toBeNull()
  await count(app)
  // 0.5 × 4.0 + 3.5 × 4.1 + 1.5 × 4.2 = 22.65, tax 5.5 × 0.119 = 0.6545
  expect(await costOf(id)).toEqual({
    total: '23.30',
    parts: { spot: '22.65', tariff: '0', tax: '0.6545' },
    unknown: null,
    driver: null,
    kgCo2: 0.275,
    spread: false,
  })
  expect(await due()).toEqual([])
  expect((await rowOf(id))?.due_at).toBeNull()
})

test('registers and a stop that arrive late give the same cost', async () => {
  await addPricedCharger(app, 'LATE')
  const late = { ...example, identity: 'LATE' }
  const first = await putSession(app, { ...late, to: null, wh: null, readings: [] })
  await count(app)
  expect(await rowOf(first)).toBeUndefined()
  for (const reading of example.readings.toReversed()) {
    await putRegisters(app, late, [reading])
    await count(app)
  }
  await app.records.system(async (tx) => {
    const updated = await tx
      .updateTable('charger_transaction')
      .set({ state: 'ended', ended_at: new Date(example.to), consumption_wh: '5500' })
      .where('transaction_id', '=', first)
      .returningAll()
      .execute()
    markSessions(tx, updated)
  })
  await count(app)
  expect((await costOf(first))?.total).toBe('23.30')
})

// The embedded store has one connection: no write runs while due rows are claimed.
test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'a reading that is stored while its mark is claimed is counted',
  async () => {
    await addPricedCharger(app, 'BESIDE')
    const beside = { ...example, identity: 'BESIDE', to: null, wh: null }
    const id = await putSession(app, { ...beside, readings: [['2026-11-20T09:20:00Z', 1000]] })
    const isTaken = async () => (await due()).some(({ claimed }) => claimed)
    const [stored, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const storing = app.records.system(async (tx) => {
      const rows = registerRows(beside, [['2026-11-20T09:30:00Z', 4000]])
      await saveRegisters(tx, rows)
      stored.resolve()
      await end.promise
    })
    await stored.promise
    const counting = count(app)
    await expect.poll(isTaken).toBe(true)
    end.resolve()
    await Promise.all([storing, counting])
    expect((await rowOf(id))?.wh.reduce((sum, wh) => sum + wh, 0)).toBe(4000)
  },
)

test('older sessions that are reported later do not recalculate newer costs', async () => {
  await addPricedCharger(app, 'PAST')
  const of = (day: string) => ({ ...bare(`${day}T09:10:00Z`, `${day}T09:40:00Z`), identity: 'PAST' })
  const newer = await putSession(app, of('2026-11-20'))
  await count(app)
  await changeRows({ system: app.byHand }, 'charging_cost', { transaction_id: newer }, { wh: [1] })
  const older = await putSession(app, of('2026-11-19'))
  await count(app)
  expect((await rowOf(older))?.wh.reduce((sum, wh) => sum + wh, 0)).toBe(5500)
  expect((await rowOf(newer))?.wh).toEqual([1])
})

test('a session over midnight is recalculated for a reading of either day', async () => {
  await addPricedCharger(app, 'NIGHT')
  const night = { ...example, identity: 'NIGHT', from: '2026-11-19T22:00:00Z', to: null, wh: null }
  const id = await putSession(app, { ...night, readings: [['2026-11-19T23:00:00Z', 1000]] })
  await count(app)
  await putRegisters(app, night, [['2026-11-20T02:00:00Z', 6000]])
  await count(app)
  expect((await rowOf(id))?.wh.reduce((sum, wh) => sum + wh, 0)).toBe(6000)
})

test('a price that is published again recalculates the cost once', async () => {
  const id = await putSession(app, bare('2026-11-20T11:00:00Z', '2026-11-20T11:15:00Z'))
  await count(app)
  expect((await costOf(id))?.parts?.spot).toBe('26.4')
  await putDay(app, '2026-11-20', (index) => (index === 48 ? 1000 : 100 * index), '2026-11-22T11:59:00Z')
  await count(app)
  expect((await costOf(id))?.parts?.spot).toBe('5.5')
  expect((await rowOf(id))?.due_at).toBeNull()
})

test('an unpublished price is unknown, is looked up again, and is known once it is published', async () => {
  const id = await putSession(app, bare('2026-11-21T11:00:00Z', '2026-11-21T11:15:00Z'))
  await count(app)
  expect(await costOf(id)).toMatchObject({ total: null, unknown: 'spot', kgCo2: null })
  await putDay(app, '2026-11-21', () => 500)
  await putEmission(app, '2026-11-21', 100)
  await count(app)
  expect(await costOf(id)).toMatchObject({ unknown: 'spot' })
  app.setNow('2026-11-22T12:16:00Z')
  await count(app)
  expect(await costOf(id)).toMatchObject({ total: '3.40', unknown: null, kgCo2: 0.55 })
})

test.each([
  ['a month', '2026-10-20'],
  ['nine days', '2026-11-13'],
])('a price that is first published after %s is counted within the next run', async (_, day) => {
  const from = `${day}T11:00:00Z`
  const id = await putSession(app, bare(from, `${day}T11:15:00Z`))
  await count(app)
  expect(await costOf(id)).toMatchObject({ total: null, unknown: 'spot' })
  await putDay(app, day, () => 500, '2026-11-22T12:16:00Z')
  await count(app)
  expect(await costOf(id)).toMatchObject({ total: '3.40', unknown: null, kgCo2: null })
  const waitDays = (Number((await rowOf(id))?.due_at) - Date.parse('2026-11-22T12:16:00Z')) / 86_400_000
  expect(waitDays).toBeCloseTo((Date.parse('2026-11-22T12:16:00Z') - Date.parse(from)) / 86_400_000 / 7, 5)
  await putEmission(app, day, 100)
  await changeRows({ system: app.byHand }, 'charging_cost', { transaction_id: id }, { due_at: new Date(from) })
  await count(app)
  expect(await costOf(id)).toMatchObject({ kgCo2: 0.55 })
  expect((await rowOf(id))?.due_at).toBeNull()
})

test('the consumption and cost of a running session end with its last plausible reading', async () => {
  await addPricedCharger(app, 'WILD')
  const wild = { ...example, identity: 'WILD', to: null, wh: null }
  const id = await putSession(app, { ...wild, readings: [...example.readings, ['2026-11-20T09:30:10Z', 304_000]] })
  await count(app)
  const { transaction } = await app.data(getChargerTransaction, { token, params: { id } })
  expect(transaction).toMatchObject({ consumption: 4, cost: { parts: { spot: '16.35' } } })
})

test('a charger without a price has no cost and is not due', async () => {
  await addPricedCharger(app, 'FREE')
  await changeRows(app.records, 'charger', { identity: 'FREE' }, { price_signal_id: null })
  const id = await putSession(app, { ...example, identity: 'FREE', readings: [] })
  await count(app)
  expect(await costOf(id)).toMatchObject({ total: null, unknown: 'price' })
  expect((await rowOf(id))?.due_at).toBeNull()
})

test('a cost is calculated by the next run after a crash', async () => {
  const id = await putSession(app, bare('2026-11-20T13:00:00Z', '2026-11-20T13:15:00Z'))
  await changeRows(app.records, 'charging_due', {}, { claimed: true, marked: false })
  await count(app)
  expect((await costOf(id))?.total).not.toBeNull()
  expect(await due()).toEqual([])
})

test('on a day of 25 hours the repeated hour has two prices', async () => {
  const day = '2026-10-25'
  await putDay(app, day, (index) => (index < 12 ? 1000 : 2000))
  // 02:45 before to 02:15 after the clocks go back: quarters 11 and 12.
  const id = await putSession(app, {
    identity: 'CP',
    from: '2026-10-25T00:45:00Z',
    to: '2026-10-25T01:15:00Z',
    wh: 2000,
    readings: [['2026-10-25T01:00:00Z', 1000]],
  })
  await count(app)
  expect((await costOf(id))?.parts?.spot).toBe('3')
})

test('each session of a charger has its own cost', async () => {
  await addPricedCharger(app, 'OTHER')
  const [a, b] = [
    await putSession(app, { ...bare('2026-11-20T09:00:00Z', example.to), identity: 'OTHER' }),
    await putSession(app, { ...bare('2026-11-20T15:00:00Z', '2026-11-20T15:10:00Z'), identity: 'OTHER' }),
  ]
  await count(app)
  const rows = await app.records.system((tx) =>
    tx
      .selectFrom('charging_cost as k')
      .innerJoin('charger_transaction as s', 's.transaction_id', 'k.transaction_id')
      .select('k.transaction_id')
      .where('s.charger_id', '=', chargerId('OTHER'))
      .execute(),
  )
  expect(rows.map((row) => row.transaction_id).toSorted()).toEqual([a, b].toSorted())
})
