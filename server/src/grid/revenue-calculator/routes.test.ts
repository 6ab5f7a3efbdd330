import { calculatorAreas } from '@gridmast/contract/choices.ts'
import { marketsOfArea, revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { datesBetween } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { putPrices } from '#testing/prices.ts'
import { storedRows } from '#testing/rows.ts'

const range = { startDate: '2026-09', endDate: '2026-11' }
const months = ['2026-08-31T22:00:00Z', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'].map((at) => Date.parse(at))

const app = await openTestApp()
app.setNow('2026-11-20T17:12:08.000Z')
const token = await app.tokenOf('auditor@north.example')
beforeAll(async () => {
  const hours = datesBetween('2026-10-01', '2026-10-31').flatMap((date) => slots('hour', date))
  const down = { market: 'aFRR-DEC', area: 'DK2' }
  await putPrices(
    app.records,
    [
      ...hours.map((slot) => ({
        ...down,
        at: new Date(slot.fromMs).toISOString(),
        priceEur: '0.333',
        priceDkk: '2.5',
      })),
      { ...down, at: '2026-08-31T22:00:00.000Z', priceEur: '-1.005', priceDkk: '-7.505' },
      { ...down, at: '2026-08-31T21:00:00.000Z', priceEur: '1000', priceDkk: '7000' },
      { ...down, at: '2026-11-30T23:00:00.000Z', priceEur: '1000', priceDkk: '7000' },
    ],
    '2026-11-01T00:00:00Z',
  )
})
afterAll(() => app.close())

const ask = (query: Record<string, string> = {}) =>
  app.ask(revenueCalculator, { token, query: { signal: 'AFRR-DEC', area: 'DK2', ...range, ...query } })

test('totals, months and days in DKK and EUR to the cent, with coverage and sources', async () => {
  const { status, body } = await ask()
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    totalRevenueInDkk: '1855.00', // 745 x 2.5 - 7.505 = 1854.995
    totalRevenueInEuro: '247.08', // 745 x 0.333 - 1.005 = 247.08
    coverage: 34.14, // 746 of 720 + 745 + 720 hours
  })
})

test('the chart has each month of the range, with a gap for months without prices', async () => {
  const { body } = await ask()
  expect(body.data).toMatchObject({
    graphData: [
      { unit: 'DKK', x: months, y: [-7.51, 1862.5, null] },
      { unit: 'EUR', x: months, y: [-1.01, 248.09, null] },
    ],
    downloadData: [
      { month: '2026-09', revenueDkk: '-7.51', revenueEuro: '-1.01', coverage: 0.13 },
      { month: '2026-10', revenueDkk: '1862.50', revenueEuro: '248.09', coverage: 100 },
    ],
    basis: {
      price: 'MW and hour',
      auction: 'one auction',
      dkk: 'dataset',
      dkkPerEur: null,
      source: {
        name: 'Energi Data Service',
        dataset: 'AfrrReservesNordic',
        licence: 'Energinet CC BY 4.0',
        simulated: false,
      },
    },
  })
  const { detailedRevenue } = body.data
  expect(detailedRevenue).toHaveLength(32)
  expect(detailedRevenue[0]).toEqual({ date: '2026-09-01', revenueDkk: '-7.51', revenueEuro: '-1.01', coverage: 4.16 })
  expect(detailedRevenue.find(({ date }) => date === '2026-10-25')).toMatchObject({
    revenueDkk: '62.50',
    coverage: 100,
  })
})

test('the default capacity is 1 MW', async () => {
  expect((await ask()).body.data).toEqual((await ask({ capacity: '1' })).body.data)
  expect((await ask({ capacity: '2.5' })).body.data).toMatchObject({ totalRevenueInEuro: '617.70' })
})

test('FCR states a price per block, FCR-D states the total of its auctions', async () => {
  const basis = async (query: Record<string, string>) => (await ask(query)).body.data
  expect(await basis({ signal: 'FCR', area: 'DK1' })).toMatchObject({
    totalRevenueInDkk: '0.00',
    coverage: 0,
    detailedRevenue: [],
    basis: { price: 'MW and block of 4 hours', dkk: null },
  })
  expect(await basis({ signal: 'FCR-D (LER)', area: 'SE3' })).toMatchObject({
    basis: { auction: 'Total', source: { name: 'Energi Data Service', dataset: 'FcrNdDK2' } },
  })
})

test('C4 the file of months or days states its inputs and is on the audit trail', async () => {
  const names = 'Market,Area,Capacity (MW),Price per,Auction,DKK per EUR,Source'
  const about =
    'AFRR-DEC,DK2,1,MW and hour,one auction,,"Energi Data Service, AfrrReservesNordic · Energinet CC BY 4.0"'
  const lines = async (rows: Record<string, string>) =>
    (await ask({ format: 'csv', ...rows })).text.trim().split('\r\n')
  expect(await lines({})).toEqual([
    `Month,Revenue (DKK),Revenue (EUR),Coverage (%),${names}`,
    `2026-09,-7.51,-1.01,0.13,${about}`,
    `2026-10,1862.5,248.09,100,${about}`,
  ])
  const days = await lines({ rows: 'days' })
  expect(days[0]).toBe(`Date,Revenue (DKK),Revenue (EUR),Coverage (%),${names}`)
  expect(days).toHaveLength(33)
  const trail = await storedRows(app.records, 'audit_entry', { action: 'export' }, ['subject'])
  const subject = 'Revenue potential AFRR-DEC DK2 1 MW 2026-09--2026-11'
  expect(trail).toEqual([{ subject }, { subject }])
})

test('areas have their markets: FCR in DK1, FCR-D in DK2, aFRR in both, only FCR-D in Sweden', async () => {
  const [fcrD, afrr] = [
    ['FCR-D-INC', 'FCR-D-DEC', 'FCR-D (LER)'],
    ['AFRR-INC', 'AFRR-DEC'],
  ]
  expect(Object.fromEntries(calculatorAreas.map((area) => [area, [...marketsOfArea(area)]]))).toEqual({
    DK1: ['FCR', ...afrr],
    DK2: [...fcrD, ...afrr],
    SE1: fcrD,
    SE2: fcrD,
    SE3: fcrD,
    SE4: fcrD,
  })
  expect((await ask({ signal: 'FCR', area: 'DK1' })).status).toBe(200)
  expect((await ask({ signal: 'FCR_D_INCREASED', area: 'DK2' })).body).toEqual(
    (await ask({ signal: 'FCR-D-INC', area: 'DK2' })).body,
  )
  expect((await ask({ signal: 'FCR_D_DECREASED', area: 'SE4' })).status).toBe(200)
  expect((await ask({ signal: 'FCR_D_INCREASED', area: 'DK1' })).status).toBe(400)
  for (const [signal, area] of [
    ['FCR', 'DK2'],
    ['FCR-D-INC', 'DK1'],
    ['AFRR-INC', 'SE4'],
  ] as const) {
    const { status, body } = await ask({ signal, area })
    expect([status, body.errors]).toEqual([400, { signal: 'This market does not exist in this area' }])
  }
})

test.each([
  [{ capacity: '0' }, { capacity: 'Must be greater than 0' }],
  [{ capacity: '-1' }, { capacity: 'Must be greater than 0' }],
  [{ capacity: '10000.1' }, { capacity: 'Must be lesser than or equal to 10000' }],
  [{ capacity: 'much' }, { capacity: 'Must be a number' }],
  [{ startDate: '2026-13' }, { startDate: 'Must be a month such as 2026-11' }],
  [{ startDate: '2026-09-01' }, { startDate: 'Must be a month such as 2026-11' }],
  [{ startDate: '2026-12' }, { endDate: "End date can't be before start date" }],
  [{ startDate: '2021-11', endDate: '2026-11' }, { endDate: 'At most 60 months' }],
])('%j is refused', async (query, errors) => {
  const { status, body } = await ask(query)
  expect([status, body.errors]).toEqual([400, errors])
})

test.each<Record<string, string>>([
  { capacity: '0.000001' },
  { capacity: '10000' },
  { startDate: '2026-11', endDate: '2026-11' },
  { startDate: '2021-12', endDate: '2026-11' },
])('%j is accepted', async (query) => {
  expect((await ask(query)).status).toBe(200)
})
