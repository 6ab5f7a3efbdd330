import { settlementFormula } from '@gridmast/contract/settlement/economics.ts'
import { addDays, dayBounds, hourMs, minuteMs, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { putPrices } from '#testing/prices.ts'
import { addRows, storedRow, storedRows } from '#testing/rows.ts'
import * as fixture from './economics.fixture.ts'
import { sumSettlements } from './queries.ts'
import { settleDue } from './settle-due.ts'

const app = await openTestApp()
const of = await fixture.placeRequest(app.records, '2026-09-01')
afterAll(() => app.close())

let day = '2026-09-01'
let dayNo = 0
beforeEach(async () => {
  day = `2026-09-${String(++dayNo).padStart(2, '0')}`
  app.setNow('2026-10-30T06:00:00Z')
  await fixture.clear(app)
  await app.byHand((tx) => sql`delete from market_price_revision`.execute(tx))
  await app.byHand((tx) => sql`delete from market_price`.execute(tx))
  await fixture.setContract(app.records, of)
})

const afrr = { market: 'aFRR', product: 'aFRR-INC', auction: '', regulation_price_eur: '80' }
const sell = async (part: object = {}, slot = 10) => {
  await fixture.addBid(app.records, of, day, slot, { ...afrr, ...part })
  await fixture.decide(app.records, '5')
}
const minutes = (of60: readonly number[]) => of60.flatMap((percent) => Array.from({ length: 15 }, () => percent))
const askFor = (length: number, percent: number) =>
  fixture.ask(
    app,
    of,
    day,
    Array.from({ length }, () => percent),
  )
const ask = async (quarters: readonly number[]) => {
  await fixture.measure(app, of, day)
  await askFor(1440, 0)
  await fixture.ask(app, of, day, minutes(quarters), 600)
}
const publish = (eurs: readonly (string | null)[], series = 'aFRR-energy-INC', nowIso = '2026-09-30T04:00:00Z') =>
  putPrices(
    app.records,
    eurs.flatMap((priceEur, n) => {
      const at = new Date(dayBounds(day).fromMs + 10 * hourMs + n * quarterMs).toISOString()
      return priceEur === null
        ? []
        : [{ market: series, area: 'DK2', at, priceEur, durationS: 900, unit: 'MWh' as const }]
    }),
    nowIso,
  )
const settleNow = () => settleDue(app, 0)
const rows = () =>
  storedRows(
    app.records,
    'settlement',
    {},
    ['product', 'version', 'energy_eur', 'energy_state', 'gross_eur'],
    ['product', 'day'],
  )
const earlier = () => storedRows(app.records, 'settlement_revision', {}, ['version', 'energy_eur'], ['version'])

test('energy is the set point times the won capacity at the published price, and a revised price is a correction', async () => {
  await sell()
  await ask([100, 50, 0, 0])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, energy_state: 'unknown', energy_eur: null, gross_eur: '2.00' }])
  await publish(['120.4'])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, energy_state: 'unknown', energy_eur: null }])
  await publish(['120.4', '120.4', '99', '99'])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, energy_state: 'known', energy_eur: '18.06' }])
  expect(await earlier()).toEqual([])
  await publish(['-20', '120.4'], 'aFRR-energy-INC', '2026-10-02T04:00:00Z')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, energy_eur: '4.02', gross_eur: '2.00' }])
  expect(await earlier()).toEqual([{ version: 1, energy_eur: '18.06' }])
})

test('the formula lists each quarter with its price, source and time, also of an earlier version', async () => {
  await sell()
  await ask([100, 0, 0, 0])
  await publish(['120.4'])
  await settleNow()
  await publish(['90'], 'aFRR-energy-INC', '2026-10-02T04:00:00Z')
  await settleNow()
  const token = await app.tokenOf('auditor@north.example')
  const params = { instanceId: of.instance_id, date: day, type: 'aFRR-INC' }
  const energyOf = async (query: Record<string, string>) =>
    (await app.data(settlementFormula, { token, params, query })).energy
  const source = (readAt: string) => ({
    name: 'Energi Data Service',
    dataset: 'ImbalancePrice',
    readAt,
    isFile: false,
    simulated: false,
  })
  expect(await energyOf({})).toMatchObject({
    state: 'known',
    unmeasuredQuarters: 0,
    quarters: [{ upMwh: '0.1', upEur: '90', eur: '9', upSource: source('2026-10-02T04:00:00.000Z'), downSource: null }],
  })
  expect(await energyOf({ version: '1' })).toMatchObject({
    quarters: [{ upEur: '120.4', eur: '12.04', upSource: source('2026-09-30T04:00:00.000Z') }],
  })
})

test('both directions within a quarter are separate products', async () => {
  await sell({ product: 'aFRR-INC' })
  await sell({ product: 'aFRR-DEC' })
  await ask([0, 0, 0, 0])
  await fixture.ask(
    app,
    of,
    day,
    [...Array.from({ length: 6 }, () => 100), ...Array.from({ length: 9 }, () => -50)],
    600,
  )
  await publish(['100'])
  await publish(['-40'], 'aFRR-energy-DEC')
  await settleNow()
  // 0.4 MW × 6/15 × 15 min = 0.04 MWh up; 0.4 MW × 50 % × 9/15 × 15 min = 0.03 MWh down.
  expect(await rows()).toMatchObject([
    { product: 'aFRR-DEC', energy_eur: '1.20' },
    { product: 'aFRR-INC', energy_eur: '4.00' },
  ])
})

test('a manual set point has no energy', async () => {
  await sell()
  await ask([100, 0, 0, 0])
  const at = dayBounds(day).fromMs + 10 * hourMs
  const { customer_id, instance_id } = of
  const { edge_id } = await storedRow(app.records, 'instance', { instance_id }, ['edge_id'])
  await addRows(app.records, 'equipment_command', {
    customer_id,
    instance_id,
    edge_id,
    command_id: newId(),
    user_id: newId(),
    target: 'North Cold',
    action: 'manual-control',
    test_type: 'control',
    set_point: 100,
    is_open: false,
    status: 'APPLIED',
    issued_at: new Date(at),
    sent_at: new Date(at),
    expires_at: new Date(at + 10_000),
    held_until: new Date(at + 14 * minuteMs),
  })
  await settleNow()
  expect(await rows()).toMatchObject([{ energy_state: 'known', energy_eur: '0.00' }])
})

test('a set point that arrives after the settlement settles its day again', async () => {
  await settleNow() // Sets the watermark: later samples are late.
  await sell()
  await fixture.measure(app, of, day)
  await publish(['100', '100', '100', '100'])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, energy_state: 'unknown' }])
  await fixture.ask(app, of, day, minutes([100, 100, 0, 0]), 600)
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, energy_state: 'known', energy_eur: '20.00' }])
})

test('a price that arrives before the end of the day marks it as due again', async () => {
  day = '2024-04-03'
  await sell()
  app.setNow(new Date(dayBounds(day).fromMs + 12 * hourMs).toISOString())
  await settleNow()
  expect(await rows()).toMatchObject([{ energy_state: 'open' }])
  await publish(['100', '100', '100', '100'])
  const due = await storedRows(app.records, 'settlement_due', {}, ['day'])
  expect(due).toEqual([{ day }])
})

test('unknown energy stays unknown next to a lost bid', async () => {
  await sell()
  await ask([100, 100, 0, 0])
  await settleNow()
  const another = addDays(day, 1)
  await fixture.addBid(app.records, of, another, 10, { ...afrr, won: false, marginal_price_eur: '1' })
  await settleNow()
  expect(await rows()).toMatchObject([{ energy_state: 'unknown' }, { energy_state: 'known', energy_eur: '0.00' }])
  const sums = await app.records.system((tx) =>
    sumSettlements(tx, of.customer_id, { startDate: day, endDate: another, products: [] }),
  )
  expect(sums.energy).toBeNull()
})

test('a correction of the shares is a version while the energy is unknown', async () => {
  await sell()
  await ask([100, 100, 0, 0])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, energy_state: 'unknown' }])
  await fixture.setContract(app.records, of, { partner_percent: '15', sc_percent: '15' })
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, energy_state: 'unknown' }])
  await publish(['100', '100', '100', '100'])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, energy_state: 'known' }])
})

test('FCR-D has no energy, and a running day has none yet', async () => {
  await fixture.addBid(app.records, of, day, 10)
  await sell()
  app.setNow(new Date(dayBounds(day).fromMs + 12 * hourMs).toISOString())
  await settleNow()
  expect(await rows()).toMatchObject([
    { product: 'FCR-D-DEC', energy_state: 'none', energy_eur: null },
    { product: 'aFRR-INC', energy_state: 'open', energy_eur: null },
  ])
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('on %s each of the %i hours has its four quarters', async (changed, hours) => {
  day = changed
  for (let hour = 0; hour < hours; hour++)
    await fixture.addBid(app.records, of, day, hour, { ...afrr, slot: Math.min(hour, 23) })
  await fixture.decide(app.records, '5')
  await fixture.measure(app, of, day, [0, hours * 60])
  await askFor(hours * 60, 10)
  await putPrices(
    app.records,
    Array.from({ length: hours * 4 }, (_, n) => ({
      market: 'aFRR-energy-INC',
      area: 'DK2',
      priceEur: '50',
      durationS: 900,
      unit: 'MWh' as const,
      at: new Date(dayBounds(day).fromMs + n * quarterMs).toISOString(),
    })),
    '2026-10-28T04:00:00Z',
  )
  await settleNow()
  // 0.4 MW × 10 % × 50 EUR: 2 EUR an hour.
  expect(await rows()).toMatchObject([{ energy_state: 'known', energy_eur: `${2 * hours}.00` }])
})
