import * as contract from '@gridmast/contract/settlement/economics.ts'
import { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { parseCsv } from 'hucre'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { pageRows } from '#platform/files/table-file.ts'
import { openTestApp } from '#testing/app.ts'
import * as fixture from './economics.fixture.ts'
import { settleDue } from './settle-due.ts'

const first = '2026-09-01'
const days = Array.from({ length: 20 }, (_, i) => addDays(first, i))

const settleNow = () => settleDue(app, 0)
const app = await openTestApp()
app.setNow('2026-09-25T06:00:00Z')
const token = await app.tokenOf('auditor@north.example')
const of = await fixture.placeRequest(app.records, first)
await fixture.setContract(app.records, of, { enablers: { Hjælper: 5, Zenith: 5 }, partner_percent: '10' })
for (const day of days) {
  await fixture.addBid(app.records, of, day, 10)
  await fixture.addBid(app.records, of, day, 10, { auction: 'D-1 late', capacity_mw: '0.1', price_eur: '3' })
  await fixture.addBid(app.records, of, day, 13, { regulation_price_eur: '55.5' })
}
await fixture.measure(app, of, first)
await fixture.decide(app.records, '3.333')
await fixture.setBids(app.records, { day: '2026-09-20' }, { won: null, won_mw: null, marginal_price_eur: null })
await settleNow()
afterAll(() => app.close())

const find = async (query: Partial<Record<string, string>> = {}, by = token) =>
  app.ask(contract.findSettlements, { token: by, query: { startDate: first, endDate: '2026-09-30', ...query } })

test('a page has 15 settlements, newest first, with totals of all rows', async () => {
  const { data } = (await find()).body
  expect([data.settlements.length, data.count, data.unpublished, data.unshared]).toEqual([15, 20, 1, 0])
  expect(data.settlements.map(({ date }) => date)).toEqual(days.toReversed().slice(0, 15))
  // 1.2 MW at 3.333 are 3.9996 = 4.00; 10 % of it 0.40, 5 % 0.20, and 2.80 for the customer.
  expect(data).toMatchObject({
    totalRevenue: '53.20',
    totalRevenuePartner: '7.60',
    totalRevenueSc: '7.60',
    totalRevenueEnabler: '7.60',
    totalRevenueEnergy: '0.00',
    enablersData: { Hjælper: '3.80', Zenith: '3.80' },
    exportData: ['xlsx', 'csv'],
  })
  const rest = (await find({ skip: '15' })).body.data
  expect([rest.settlements.length, rest.count, rest.totalRevenue]).toEqual([5, 20, '53.20'])
})

test('a row has the fields of the specification, and null without published results', async () => {
  const [open, won] = (await find()).body.data.settlements
  const inactive = { status: 'active', result: false, won: false }
  expect(open).toMatchObject({
    date: '2026-09-20',
    customer: null,
    partner: null,
    sc: null,
    enablers: null,
    gross: null,
    capacity: '0.4',
    isResultFetched: false,
    status: { CM: inactive },
  })
  expect(won).toMatchObject({
    date: '2026-09-19',
    source: 'computed',
    instanceIdName: 'North Cold',
    type: 'FCR-D-DEC',
    capacity: '0.8',
    customer: '2.80',
    partner: '0.40',
    sc: '0.40',
    enablers: { Hjælper: '0.20', Zenith: '0.20' },
    energyPrice: null,
    energyState: 'none',
    gross: '4.00',
    penalty: '0.00',
    isResultFetched: true,
    isClosed: true,
    version: 1,
    status: { CM: { status: 'active', result: true, won: true }, EAM: inactive },
  })
  const { capacity, price, regulationPrice, bidStatus, panicHours } = won?.modalData ?? {}
  expect([capacity?.length, capacity?.[10], price?.[10], price?.[13], capacity?.[9]]).toEqual([
    24,
    '0.4',
    '2.200000',
    '2',
    null,
  ])
  expect([regulationPrice?.[13], regulationPrice?.[10], panicHours]).toEqual(['55.5', null, []])
  expect(bidStatus?.map(({ productName, price: of24 }) => [productName, of24[10], of24[13]])).toEqual([
    ['D-1 early', '3.333', '3.333'],
    ['D-1 late', '3.333', null],
  ])
})

test('a bid decided by the operator sets the source of the day', async () => {
  const at = (decided_by: string) => fixture.setBids(app.records, { day: '2026-09-07', slot: 13 }, { decided_by })
  const sourceOf = async () =>
    (await find({ startDate: '2026-09-07', endDate: '2026-09-07' })).body.data.settlements.map(({ source }) => source)
  await at('result-file')
  await settleNow()
  expect(await sourceOf()).toEqual(['result-file'])
  await at('price')
  await settleNow()
  expect(await sourceOf()).toEqual(['computed'])
})

test('the list is filtered by license, instance, products and days, by default the running month', async () => {
  const count = async (query: Record<string, string>) => (await find(query)).body.data.count
  expect(await count({ instanceId: of.instance_id, licenseId: of.licence_id })).toBe(20)
  expect(await count({ market: 'FCR-D-DEC,aFRR-INC' })).toBe(20)
  expect(await count({ market: 'aFRR-INC' })).toBe(0)
  expect(await count({ startDate: '2026-09-02', endDate: '2026-09-03' })).toBe(2)
  const running = await app.data(contract.findSettlements, { token, query: {} })
  expect([running.startDate, running.endDate, running.count]).toEqual(['2026-09-01', '2026-09-30', 20])
  const { licenses } = await app.data(contract.economicsLicences, { token })
  expect(licenses.map(({ _id }) => _id)).toContain(of.licence_id)
  const { instances } = await app.data(contract.economicsInstances, { token, query: { licenseId: of.licence_id } })
  expect(instances).toContainEqual({ _id: of.instance_id, name: 'North Cold', licenseId: of.licence_id })
})

test.each([
  [{ startDate: '2026-09-20', endDate: '2026-09-19' }, 'endDate'],
  [{ limit: '101' }, 'limit'],
  [{ skip: '-1' }, 'skip'],
  [{ startDate: '2026-02-30' }, 'startDate'],
  [{ market: 'x'.repeat(201) }, 'market'],
])('R4 %j is refused', async (query, path) => {
  const { status, body } = await find(query)
  expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [path]])
})

test('the file has all rows in order', async () => {
  const { text } = await find({ format: 'csv' })
  const [head, ...lines] = text.trim().split('\n')
  expect(head).toContain('Customer revenue (€)')
  expect(lines.map((line) => line.slice(0, 10))).toEqual(days.toReversed())
  expect(lines[1]).toContain('North Cold,FCR-D-DEC,0.8,2.8,0.4,0.4,0.4,,4,0,Won,Yes,1,Measured')
})

test('a file of more than two pages has each settlement once, in the order of the list', async () => {
  const span = { startDate: '2026-06-01', endDate: '2026-07-17' }
  await app.records.system((tx) =>
    sql`insert into settlement (customer_id, instance_id, day, product, market, version, made_at, is_closed, is_result_fetched, won_mw,
        capacity_eur, penalty_eur, gross_eur, customer_eur, partner_eur, sc_eur, enablers, inputs, inputs_sha256, energy_state)
      select customer_id, instance_id, '2026-06-01'::date + n % 47, 'product ' || n / 47, market, version, made_at, is_closed, is_result_fetched,
        won_mw, capacity_eur, penalty_eur, gross_eur, n, partner_eur, sc_eur, enablers, inputs, inputs_sha256, energy_state
      from settlement, generate_series(1, ${2 * pageRows + 350}) n where day = ${days[0]}`.execute(tx),
  )
  const { count, totalRevenue } = (await find(span)).body.data
  const [head = [], ...rows] = parseCsv((await find({ ...span, format: 'csv' })).text)
  const column = head.indexOf('Customer revenue (€)')
  const amounts = rows.map((row) => Number(row[column]))
  expect([rows.length, count]).toEqual([2350, 2350])
  expect(amounts.reduce((sum, eur) => sum + eur, 0)).toBe(Number(totalRevenue))
  for (const skip of [0, pageRows - 50, 2 * pageRows - 50, 2250])
    expect(amounts.slice(skip, skip + 100)).toEqual(
      (await find({ ...span, limit: '100', skip: String(skip) })).body.data.settlements.map(({ customer }) =>
        Number(customer),
      ),
    )
  await app.byHand((tx) => tx.deleteFrom('settlement').where('day', '<', first).execute())
})

describe('the formula', () => {
  const formula = (date: string, query: { version?: string } = {}) =>
    app.ask(contract.settlementFormula, {
      token,
      params: { instanceId: of.instance_id, date, type: 'FCR-D-DEC' },
      query,
    })

  test('lists each bid with its price and hours, the contract and the availability', async () => {
    const { data } = (await formula('2026-09-01')).body
    expect(
      data.lines.map(({ auction, wonMw, marginalEur, capacityEur }) => [auction, wonMw, marginalEur, capacityEur]),
    ).toEqual([
      ['D-1 early', '0.4', '3.333', '1.3332'],
      ['D-1 late', '0.4', '3.333', '1.3332'],
      ['D-1 early', '0.4', '3.333', '1.3332'],
    ])
    expect(data).toMatchObject({
      version: 1,
      isNewest: true,
      grossEur: '4.00',
      capacityEur: '4.00',
      penaltyEur: '0.00',
      availability: { isJudged: true, missingShare: 0, notAvailable: [] },
      contract: { validFrom: '2026-01-01', customer: '70', partner: '10', sc: '10', penaltyTo: 'shares' },
      versions: [{ version: 1 }],
    })
    expect((await formula('2026-09-05')).body.data.availability).toMatchObject({ isJudged: false, missingShare: 1 })
  })

  test('of an earlier version is available after a correction', async () => {
    await fixture.setBids(app.records, { day: '2026-09-03', slot: 13 }, { marginal_price_eur: '4' })
    await settleNow()
    const { data } = (await formula('2026-09-03')).body
    expect([data.version, data.grossEur, data.versions.map(({ version, grossEur }) => [version, grossEur])]).toEqual([
      2,
      '4.27',
      [
        [2, '4.27'],
        [1, '4.00'],
      ],
    ])
    expect((await formula('2026-09-03', { version: '1' })).body.data).toMatchObject({
      isNewest: false,
      grossEur: '4.00',
    })
    expect((await formula('2026-09-03', { version: '3' })).status).toBe(404)
    await fixture.setBids(app.records, { day: '2026-09-03', slot: 13 }, { marginal_price_eur: '3.333' })
    await settleNow()
  })

  test('of a day without a settlement is a 404', async () => {
    expect((await formula('2026-10-01')).status).toBe(404)
  })
})

test('the revenue of a month by day', async () => {
  const data = await app.data(monthRevenue, { token, query: { startDate: first, endDate: '2026-09-30' } })
  expect([data.totalRevenue, data.revenueData.length, data.unpublished, data.simulated]).toEqual([
    '53.20',
    20,
    1,
    false,
  ])
  expect(data.revenueData.slice(-2)).toEqual([
    { date: '2026-09-19', revenue: '2.80', isOver: true },
    { date: '2026-09-20', revenue: null, isOver: true },
  ])
  await fixture.addBid(app.records, of, '2026-09-20', 11, { product: 'FCR-D-INC', market: 'FCR-D-INC' })
  await settleNow()
  const days = (await app.ask(monthRevenue, { token, query: { startDate: first, endDate: '2026-09-30' } })).body
  expect(days.data.unpublished).toBe(1)
  expect((await find()).body.data.unpublished).toBe(2)
  await fixture.changeBids(app.records, (tx) => tx.deleteFrom('bid').where('product', '=', 'FCR-D-INC').execute())
  await settleNow()
})

test('T1 the revenue of a month is a file too: each day with its state, of the own company only', async () => {
  app.setNow('2026-09-19T12:00:00Z')
  const query = { startDate: first, endDate: '2026-09-30', format: 'csv' as const }
  const fileOf = async (email: string) =>
    (await app.ask(monthRevenue, { token: await app.tokenOf(email), query })).text.trim().split(/\r?\n/)
  const [head, ...days] = await fileOf('auditor@north.example')
  expect(head).toBe('Date,Revenue (€),State,Period')
  expect(days).toHaveLength(20)
  expect(days.slice(-3)).toEqual([
    '2026-09-18,2.8,Settled,01.09.2026 to 30.09.2026',
    '2026-09-19,2.8,Expected,01.09.2026 to 30.09.2026',
    '2026-09-20,,Expected,01.09.2026 to 30.09.2026',
  ])
  expect(await fileOf('sudoer@west.example')).toEqual([head])
  app.setNow('2026-09-25T06:00:00Z')
})

test('revenue of days that are not over is expected revenue only', async () => {
  const month = { startDate: first, endDate: '2026-09-30' }
  app.setNow('2026-09-19T12:00:00Z')
  const viewer = await app.tokenOf('auditor@north.example')
  const data = await app.data(monthRevenue, { token: viewer, query: month })
  expect([
    data.totalRevenue,
    data.expectedRevenue,
    data.revenueData.at(-3)?.isOver,
    data.revenueData.at(-2)?.isOver,
  ]).toEqual(['50.40', '2.80', true, false])
  expect((await find({}, viewer)).body.data).toMatchObject({
    totalRevenue: '50.40',
    totalRevenuePartner: '7.20',
    totalRevenueEnabler: '7.20',
    enablersData: { Hjælper: '3.60', Zenith: '3.60' },
    expectedRevenue: '2.80',
    count: 20,
  })
  const [head = '', row = ''] = (await find({ format: 'csv' }, viewer)).text.split('\r\n')
  expect(head).toMatch(/,Period,Customer revenue of days that are over \(EUR\),Expected customer revenue \(EUR\)$/)
  expect(row).toMatch(/,01\.09\.2026 to 30\.09\.2026,50\.40,2\.80$/)
  app.setNow('2026-09-01T00:30:00Z')
  const early = await app.tokenOf('auditor@north.example')
  expect((await find({}, early)).body.data).toMatchObject({ totalRevenue: null, expectedRevenue: '53.20' })
  app.setNow('2026-09-25T06:00:00Z')
})

test('T1 T4 another customer reads no settlement and no id', async () => {
  const west = await app.tokenOf('sudoer@west.example')
  expect((await find({}, west)).body.data).toMatchObject({ settlements: [], count: 0, totalRevenue: '0.00' })
  for (const query of [{ instanceId: of.instance_id }, { licenseId: of.licence_id }] as Record<string, string>[])
    expect((await find(query, west)).status).toBe(404)
  const params = { instanceId: of.instance_id, date: first, type: 'FCR-D-DEC' }
  expect((await app.ask(contract.settlementFormula, { token: west, params, query: {} })).status).toBe(404)
})
