import * as contract from '@gridmast/contract/charging/charging-costs.ts'
import { m } from '@gridmast/contract/messages.ts'
import { extractText } from 'unpdf'
import { afterAll, describe, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addTags } from '#testing/chargers.ts'
import { addRows, storedRows } from '#testing/rows.ts'
import { addPricedCharger, chargerId, count, putDay, putEmission, putSession } from './costs.fixture.ts'

const groupId = newId()
const app = await openTestApp()
app.setNow('2026-11-22T12:00:00Z')
for (const identity of ['A', 'B', 'C', 'D']) await addPricedCharger(app, identity)
const token = await app.tokenOf('sudoer@north.example')
const west = await app.tokenOf('sudoer@west.example')
await addRows(app.records, 'charger_tag_group', {
  customer_id: idOf('customer', 'north'),
  group_id: groupId,
  name: '=Vans',
  active: true,
  created_at: new Date(),
})
await addTags(app.records, [{ tag: 'VAN', groupId }])
const tagId = await app.records.system(
  async (tx) => (await tx.selectFrom('charger_tag').select('tag_id').executeTakeFirstOrThrow()).tag_id,
)
await putDay(app, '2026-11-20', (index) => 100 * index)
await putDay(app, '2026-11-21', () => 1000)
await putEmission(app, '2026-11-20', 50)
await putEmission(app, '2026-11-21', 50)
afterAll(() => app.close())

const morning = { from: '2026-11-20T09:00:00Z', to: '2026-11-20T09:30:00Z' }
const price = {
  validFrom: '2026-11-21',
  area: 'DK2',
  taxValue: 10,
  driverPrice: '2.5',
} as const
const save = (body: object, as = token) => app.ask(contract.saveChargingPrice, { token: as, body })
const sums = async (query: { startDate: string; endDate: string; by?: string }) =>
  await app.data(contract.chargingCosts, { token, query })

describe('charging prices', () => {
  test('C4 a price recalculates the sessions from its first day on and keeps earlier ones', async () => {
    const before = await putSession(app, { identity: 'A', ...morning, wh: 2000 })
    const after = await putSession(app, {
      identity: 'A',
      from: '2026-11-21T09:00:00Z',
      to: '2026-11-21T09:15:00Z',
      wh: 2000,
    })
    await count(app)
    const costOf = async (id: string) => (await app.data(contract.sessionCost, { token, params: { id } })).cost
    expect(await costOf(after)).toMatchObject({ total: '2.24', driver: null })
    const earlier = await costOf(before)
    const saved = await save({ ...price, chargers: [chargerId('A')] })
    expect(saved.body.message).toBe(m.chargingPriceSaved)
    await count(app)
    expect(await costOf(after)).toMatchObject({ total: '2.02', driver: '5.00' })
    expect(await costOf(before)).toEqual(earlier)
    const list = (await app.data(contract.findChargingPrices, { token })).chargers
    expect(list.find(({ name }) => name === 'A')).toMatchObject({
      prices: [
        { validFrom: null, taxValue: '119' },
        { validFrom: '2026-11-21', taxValue: '10', driverPrice: '2.5' },
      ],
      now: { validFrom: '2026-11-21' },
    })
    const removed = await app.ask(contract.removeChargingPrice, {
      token,
      params: { chargerId: chargerId('A'), validFrom: '2026-11-21' },
    })
    expect(removed.body.message).toBe(m.chargingPriceDeleted)
    await count(app)
    expect(await costOf(after)).toMatchObject({ total: '2.24', driver: null })
  })

  test.each([
    ['a tariff that nobody publishes', { tariff: '5790000000000:X' }, 'tariff', m.notValid],
    ['a negative price for drivers', { driverPrice: '-1' }, 'driverPrice', m.atLeast(0)],
    ['a price for drivers that is no number', { driverPrice: '1e3' }, 'driverPrice', m.number],
    ['too many decimals', { driverPrice: '1.23456' }, 'driverPrice', m.decimals(4)],
    ['an area without Danish tariffs', { area: 'SE3' }, 'area', m.required],
    ['no charger', { chargers: [] }, 'chargers', m.chargerRequired],
    ['a day that is none', { validFrom: '2026-02-30' }, 'validFrom', undefined],
  ])('%s is refused with its field', async (_, wrong, field, words) => {
    const { status, body } = await save({ ...price, chargers: [chargerId('B')], ...wrong })
    expect(status).toBe(400)
    expect(Object.keys(body.errors ?? {})).toEqual([field])
    if (words) expect(body.errors?.[field]).toBe(words)
  })

  test('T4 a request that includes the charger of another customer changes none', async () => {
    await addPricedCharger(app, 'W', 'west').catch(() => {})
    const { status } = await save({ ...price, chargers: [chargerId('B'), chargerId('W', 'west')] })
    expect(status).toBe(404)
    const rows = await storedRows(app.records, 'charging_price', {}, ['charger_id'])
    expect(rows).toEqual([])
    expect((await save({ ...price, chargers: [chargerId('B')] }, west)).status).toBe(404)
  })
})

test('the quarters of a session add up to its cost', async () => {
  const id = await putSession(app, { identity: 'B', ...morning, from: '2026-11-20T09:10:00Z', wh: 2000 })
  await count(app)
  const { cost, quarters, price: paid, sources } = await app.data(contract.sessionCost, { token, params: { id } })
  expect(quarters).toEqual([
    {
      from: '2026-11-20T09:00:00.000Z',
      kwh: '0.500',
      dkkPerMwh: { spot: '4000', tariff: '0', tax: '119' },
      dkk: '2.0595',
      unknown: null,
      gramsPerKwh: 50,
    },
    expect.objectContaining({ kwh: '1.500', dkk: '6.3285' }),
  ])
  expect(cost).toMatchObject({ total: '8.39', kgCo2: 0.1 })
  expect(paid).toMatchObject({ validFrom: null, area: 'DK2' })
  expect(sources.spot).toMatchObject({ name: 'Energi Data Service' })
})

test('sums by charger, group and day equal their sessions and report energy without a cost', async () => {
  await putSession(app, { identity: 'C', from: '2026-11-18T10:00:00Z', to: '2026-11-18T10:15:00Z', wh: 1000, tagId })
  await putSession(app, { identity: 'C', from: '2026-11-20T10:00:00Z', to: '2026-11-20T10:15:00Z', wh: 3000, tagId })
  await count(app)
  const ofC = (await sums({ startDate: '2026-11-18', endDate: '2026-11-20' })).rows.find(({ name }) => name === 'C')
  // 3 kWh × (4400 + 119) DKK/MWh; nothing is published for the 18th.
  expect(ofC).toMatchObject({ sessions: 2, kwh: 4, dkk: '13.56', kwhWithoutCost: 1, kwhWithoutCo2: 1, kgCo2: 0.15 })
  const byGroup = await sums({ startDate: '2026-11-18', endDate: '2026-11-20', by: 'group' })
  expect(byGroup.rows.map(({ key, sessions }) => [key, sessions])).toEqual([
    [groupId, 2],
    [null, byGroup.total.sessions - 2],
  ])
  const byDay = await sums({ startDate: '2026-11-18', endDate: '2026-11-20', by: 'day' })
  expect(byDay.rows.map(({ key }) => key)).toEqual(['2026-11-18', '2026-11-20'])
  expect(await sums({ startDate: '2020-01-01', endDate: '2020-01-02' })).toMatchObject({
    total: { sessions: 0, kwh: 0, dkk: '0.00' },
    rows: [],
  })
})

test('sums add the rounded cost of each session: 0.4919, 0.5319 and 0.5719 DKK are 1.59', async () => {
  for (const hour of ['11', '12', '13'])
    await putSession(app, {
      identity: 'D',
      from: `2026-11-20T${hour}:00:00Z`,
      to: `2026-11-20T${hour}:15:00Z`,
      wh: 100,
    })
  await count(app)
  const ofD = (await sums({ startDate: '2026-11-18', endDate: '2026-11-20' })).rows.find(({ name }) => name === 'D')
  expect(ofD).toMatchObject({ sessions: 3, kwh: 0.3, dkk: '1.59' })
})

const statement = async (query: Record<string, string>, as = token) => {
  const { rawPayload, statusCode } = await app.http.inject({
    method: 'GET',
    url: `/api${contract.chargingStatement.path}`,
    query: { month: '2026-11', groupId, ...query },
    headers: { authorization: `Bearer ${as}` },
  })
  return { status: statusCode, bytes: rawPayload }
}
const printed = async (query: Record<string, string>) => {
  const { bytes } = await statement(query)
  return (await extractText(new Uint8Array(bytes), { mergePages: true })).text.replaceAll(/\s+/g, ' ')
}

test('L2 the month of a group is available as a PDF in both languages, a sheet and a table', async () => {
  const english = await printed({})
  expect(english).toContain('=Vans')
  expect(english).toContain('13,56')
  expect(english).toContain('1,000 kWh have no cost yet')
  expect(await printed({ language: 'da' })).toContain('Opgørelse af opladning')
  const csv = (await statement({ format: 'csv' })).bytes.toString()
  expect(csv.split('\r\n').filter((line) => line.includes('VAN'))).toHaveLength(2)
  expect(csv).toContain("'=Vans")
  expect((await statement({ format: 'xlsx' })).status).toBe(200)
  expect((await statement({ groupId: newId() })).status).toBe(404)
  expect((await statement({ month: '2026-13' })).status).toBe(400)
})
