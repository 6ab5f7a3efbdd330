import { energyNow, energyPicture } from '@gridmast/contract/grid/energy-now.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addChargers } from '#testing/chargers.ts'
import { addRows, changeRows, storedRow } from '#testing/rows.ts'
import { signalNo } from '#testing/signals.ts'

const now = '2026-11-20T11:30:00.000Z'
const nowMs = Date.parse(now)
const customer_id = idOf('customer', 'north')
const cold = idOf('instance', 'north', 'cold')
const heat = idOf('instance', 'north', 'heat')

const app = await openTestApp()
app.setNow(now)
const system = { system: app.byHand }
const auditor = await app.tokenOf('auditor@north.example')

const measure = async (instance: 'cold' | 'heat', kind: string, value: number, agoMs: number) =>
  app.readings.insert([
    {
      signalNo: await signalNo(app.records, 'north', instance, kind),
      t0Ms: nowMs - agoMs,
      dtMs: 1000,
      values: [value],
    },
  ])

const sell = async (instance_id: string, market: string, product: string, won_mw: string) => {
  const { licence_id } = await storedRow(app.records, 'instance', { instance_id }, ['licence_id'])
  const request_id = newId()
  await addRows(system, 'bid_request', {
    customer_id,
    instance_id,
    licence_id,
    request_id,
    market,
    status: 'placed',
    note: '',
    excluded_days: '[]',
    start_date: '2026-11-20',
    end_date: '2026-11-20',
    custom_bidding: true,
    capacity_mw: [],
    price_eur: [],
    created_at: now,
    updated_at: now,
  })
  const hour = (starts_at: string, slot: number) => ({
    customer_id,
    instance_id,
    request_id,
    auction: 'D-1 early',
    market,
    product,
    day: '2026-11-20',
    slot,
    starts_at,
    ends_at: new Date(Date.parse(starts_at) + 3_600_000).toISOString(),
    capacity_mw: won_mw,
    price_eur: '1',
    sent_at: '2026-11-19T10:00:00Z',
    won: true,
    won_mw,
  })
  await addRows(system, 'bid', [hour('2026-11-20T11:00:00Z', 12), hour('2026-11-20T12:00:00Z', 13)])
}

const charge = async (identity: string, kw: number | null) => {
  const charger_id = idOf('charger', 'north', identity)
  await addRows(system, 'charger_transaction', {
    customer_id,
    charger_id,
    evse_no: 1,
    transaction_id: newId(),
    mode: 'tag',
    state: 'active',
    started_at: '2026-11-20T11:00:00Z',
  })
  if (kw === null) return
  await addRows(system, 'charger_signal', { customer_id, charger_id, evse_no: 1, kind: 'power' })
  const { no } = await storedRow(app.records, 'charger_signal', { charger_id, evse_no: 1, kind: 'power' }, ['no'])
  await app.readings.insert([{ signalNo: no, t0Ms: nowMs - 60_000, dtMs: 1000, values: [kw * 1000] }])
}

const ask = (token = auditor) => app.data(energyNow, { token })

beforeAll(async () => {
  await changeRows(system, 'instance', { instance_id: heat }, { kind: 'battery' })
  await measure('cold', 'power', 420, 2000)
  await measure('heat', 'power', -200, 20_000)
  await measure('heat', 'soc', 64, 20_000)
  await measure('cold', 'capacityUp', 420, 10_000)
  await measure('heat', 'capacityUp', 450, 10_000)
})
afterAll(() => app.close())

test('the example of energy-now.md: parts, grid, and the reserve of the running slot', async () => {
  await sell(cold, 'FCR-D-INC', 'FCR-D-INC', '0.3')
  await sell(heat, 'FFR', 'FFR', '0.5')
  await addChargers(app.records, [{ identity: 'A' }, { identity: 'B' }])
  await charge('A', 11)
  const data = await ask()
  expect(data).toEqual({
    instances: [
      {
        _id: cold,
        name: 'North Cold',
        part: 'site',
        kw: 420,
        lastReported: new Date(nowMs - 2000).toISOString(),
        simulated: false,
      },
      {
        _id: heat,
        name: 'North Heat',
        part: 'battery',
        kw: -200,
        lastReported: new Date(nowMs - 20_000).toISOString(),
        simulated: false,
      },
    ],
    chargers: { kw: 11, charging: 1, silent: 0, simulated: false },
    soc: 64,
    reserve: [{ direction: 'up', soldKw: 800, heldKw: 750, silent: 0 }],
  })
  const { nodes, gridKw } = energyPicture(data, nowMs)
  expect([gridKw, ...nodes.map(({ part, kw }) => [part, kw])]).toEqual([
    231,
    ['site', 420],
    ['battery', -200],
    ['chargers', 11],
  ])
})

test('a session without a current value is unknown, and so is the total when none has one', async () => {
  await charge('B', null)
  expect((await ask()).chargers).toEqual({ kw: 11, charging: 2, silent: 1, simulated: false })
  app.setNow(new Date(nowMs + 4 * 60_000).toISOString())
  expect((await ask()).chargers).toEqual({ kw: null, charging: 2, silent: 2, simulated: false })
  app.setNow(now)
})

test('FCR is sold in both directions, a product of -DEC downwards; a silent instance holds nothing', async () => {
  await sell(cold, 'FCR', 'FCR', '0.1')
  await sell(heat, 'aFRR', 'aFRR-DEC', '0.05')
  await measure('cold', 'capacityDown', 60, 10_000)
  expect((await ask()).reserve).toEqual([
    { direction: 'up', soldKw: 900, heldKw: 850, silent: 0 },
    { direction: 'down', soldKw: 150, heldKw: 60, silent: 1 },
  ])
})

test('T1 R1 the picture as a file: parts, instances and reserve that the user may read', async () => {
  const fileOf = async (email: string) => {
    const { text } = await app.ask(energyNow, { token: await app.tokenOf(email), query: { format: 'csv' } })
    return text.trim().split(/\r?\n/)
  }
  const [head, ...lines] = await fileOf('auditor@north.example')
  expect(head).toBe(
    'Part,Instance,Power (kW),Sold (kW),Held (kW),Without a value,Last report (Europe/Berlin),Last report (UTC),Power,State of charge',
  )
  expect(lines.map((line) => line.split(',').slice(0, 7).join(','))).toEqual([
    'Grid,,231,,,1,',
    'Site,,420,,,,',
    'Battery,,-200,,,,',
    'Chargers,,11,,,1,',
    'Site,North Cold,420,,,,2026-11-20 12:29:58',
    'Battery,North Heat,-200,,,,2026-11-20 12:29:40',
    'Reserve up,,,900,850,,',
    'Reserve down,,,150,60,1,',
  ])
  const custom = await fileOf('custom@north.example')
  expect(custom.join('\n')).not.toMatch(/Reserve|Chargers/)
  expect(await fileOf('sudoer@west.example')).toHaveLength(1)
  app.setNow(new Date(nowMs + 20 * 60_000).toISOString())
  const later = await fileOf('auditor@north.example')
  expect(later.find((line) => line.includes('North Cold'))).toContain('Site,North Cold,,,,,2026-11-20 12:29:58')
  expect(later).toContainEqual(expect.stringMatching(/^Grid,,,,,\d+,/))
  app.setNow(now)
})

test('after 15 minutes a value is unknown and not in the total, which names the instance', async () => {
  const data = await ask()
  const later = energyPicture(data, nowMs + 15 * 60_000 - 10_000)
  expect(later.nodes.map(({ part, kw, silent, names }) => [part, kw, silent, names])).toEqual([
    ['site', 420, 0, []],
    ['battery', null, 1, ['North Heat']],
    ['chargers', 11, 1, []],
  ])
  expect([later.gridKw, later.silent]).toEqual([431, 2])
})

test('cars measured by an edge are the chargers of a company without chargers, and are not counted twice', async () => {
  await changeRows(system, 'instance', { instance_id: heat }, { kind: 'ev' })
  expect((await ask()).instances.map(({ part }) => part)).toEqual(['site'])
  await changeRows(system, 'charger', { customer_id }, { enabled: false })
  const data = await ask()
  expect([data.instances.map(({ part }) => part), data.chargers]).toEqual([['site', 'chargers'], null])
  await changeRows(system, 'charger', { customer_id }, { enabled: true })
})

test('R1 T1 a custom user reads neither bids nor chargers; another company has nothing of this one', async () => {
  const custom = await ask(await app.tokenOf('custom@north.example'))
  expect([custom.chargers, custom.reserve, custom.instances.length]).toEqual([null, null, 2])
  expect(await ask(await app.tokenOf('sudoer@west.example'))).toEqual({
    instances: [],
    chargers: null,
    soc: null,
    reserve: [],
  })
})
