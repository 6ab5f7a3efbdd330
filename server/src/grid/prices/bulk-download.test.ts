import { bulkDownload } from '@gridmast/contract/grid/prices.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { putPrices, putRates } from '#testing/prices.ts'
import { pageRows } from '#platform/files/table-file.ts'

const signal = 'FCR-D-INC:DK2'

const putYear = () =>
  app.records.system((tx) =>
    sql`
      insert into market_price (market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, unit, source, fetched_at)
      select 'FCR-D-INC', 'DK2', '', 'Total', t, 900, 1, row_number() over (order by t), 'MW', 'test', now()
      from generate_series('2025-01-01'::timestamp at time zone 'Europe/Berlin', '2026-01-01'::timestamp at time zone 'Europe/Berlin' - interval '15 min', '15 min') t`.execute(
      tx,
    ),
  )

const app = await openTestApp()
app.setNow('2026-11-20T17:12:08.000Z')
const token = await app.tokenOf('sudoer@north.example')
await putYear()
afterAll(() => app.close())

const ask = (query: Record<string, string>) => app.ask(bulkDownload, { token, query: { signal, ...query } })

test('a year of quarters is streamed as a file with at most one page in memory', async () => {
  const { tenant } = app.records
  const pages: number[] = []
  app.records.tenant = async (customerId, work) => {
    const found = await tenant(customerId, work)
    if (Array.isArray(found)) pages.push(found.length)
    return found
  }
  const { status, text } = await ask({ startDate: '2025-01-01', endDate: '2025-12-31', format: 'csv' })
  app.records.tenant = tenant
  expect(status).toBe(200)
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(1 + 35_040)
  expect(lines[1]).toEqual(
    expect.stringMatching(
      /^2025-01-01 00:00:00,2024-12-31T23:00:00.000Z,2025-01-01 00:15:00,2024-12-31T23:15:00.000Z,1,/,
    ),
  )
  const prices = lines.slice(1).map((line) => Number(line.split(',')[4]))
  expect(prices.every((price, i) => price === i + 1)).toBe(true)
  expect(Math.max(...pages)).toBe(pageRows)
  expect(pages).toHaveLength(Math.ceil(35_040 / pageRows))
})

test('rows as JSON have start_time, end_time and price', async () => {
  const { body } = await ask({ startDate: '2025-03-30', endDate: '2025-03-30' })
  const { prices, unit } = body.data
  expect(unit).toBe('DKK/MW')
  expect(prices).toHaveLength(92)
  expect(prices[0]).toEqual({
    start_time: '2025-03-29T23:00:00.000Z',
    end_time: '2025-03-29T23:15:00.000Z',
    price: String(88 * 96 + 1),
  })
})

test('a JSON answer has at most 5,000 rows and refers to the file beyond that', async () => {
  // 52 days and 8 quarters of normal length: 5,000
  const days = { startDate: '2025-01-01', endDate: '2025-02-21' }
  expect((await ask(days)).body.data.prices).toHaveLength(52 * 96)
  const { status, body } = await ask({ ...days, endDate: '2025-02-22' })
  expect(status).toBe(400)
  expect(body.errors).toEqual({
    format: 'More than 5000 rows: choose fewer days, or a file with format=csv',
  })
})

test('EUR prices are converted by the rate of their day', async () => {
  await putRates(app.records, { '2024-06-03': '7.4', '2024-06-04': '7.5' })
  await putPrices(
    app.records,
    ['2024-06-02', '2024-06-03', '2024-06-04', '2024-06-05'].map((day) => ({
      market: 'FCR-D-INC',
      area: 'DK2',
      auction: 'Total',
      at: `${day}T10:00:00.000Z`,
      priceEur: '2',
    })),
    '2024-06-05T00:00:00Z',
  )
  const { body } = await ask({ startDate: '2024-06-01', endDate: '2024-06-30' })
  const { prices } = body.data
  expect(prices.map(({ price }) => price)).toEqual(['14.92076', '14.8', '15', '15'])
})

test.each([
  [{ startDate: '2025-01-02', endDate: '2025-01-01' }, { endDate: "End date can't be before start date" }],
  [{ startDate: '2025-01-01', endDate: '2026-02-05' }, { endDate: 'A file covers at most 400 days' }],
  [{ startDate: '2025-02-29', endDate: '2025-03-01' }, { startDate: 'Must be a date such as 2026-11-20' }],
  [{ startDate: '2025-02-01', endDate: '2025-02-30' }, { endDate: 'Must be a date such as 2026-11-20' }],
  [{ startDate: '2025-02-01' }, { endDate: 'This field is required' }],
  [
    { startDate: '2025-02-01', endDate: '2025-02-01', priceType: 'D-3' },
    { priceType: 'Must be one of Total, D-1, D-2' },
  ],
])('%j is refused', async (query, errors) => {
  const { status, body } = await ask(query)
  expect([status, body.errors]).toEqual([400, errors])
})

test('the longest file covers 400 days, across both clock changes', async () => {
  const { status, text } = await ask({ startDate: '2025-01-01', endDate: '2026-02-04', format: 'csv' })
  expect(status).toBe(200)
  expect(text.trim().split('\r\n')).toHaveLength(1 + 35_040)
})

test('T1 the signal of a market the customer does not have is a 404', async () => {
  const { status, body } = await ask({ signal: 'FFR:DK2', startDate: '2025-01-01', endDate: '2025-01-01' })
  expect(status).toBe(404)
  expect(body).toEqual((await ask({ signal: 'XYZ:DK2', startDate: '2025-01-01', endDate: '2025-01-01' })).body)
})

test('C4 the file is on the audit trail', async () => {
  await ask({ startDate: '2025-06-01', endDate: '2025-06-02', priceType: 'D-1', format: 'xlsx' })
  const [entry] = await app.records.system((tx) =>
    tx.selectFrom('audit_entry').select('subject').where('action', '=', 'export').orderBy('entry_no', 'desc').execute(),
  )
  expect(entry).toEqual({ subject: 'FCR-D-INC pricing DK2 D-1 2025-06-01--2025-06-02' })
})
