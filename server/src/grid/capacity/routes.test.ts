import * as contract from '@gridmast/contract/grid/capacity.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRow } from '#testing/rows.ts'
import { signalNo } from '#testing/signals.ts'

const now = '2026-10-25T11:30:00.000Z' // 12:30 local on the day of 25 hours
const nowMs = Date.parse(now)

const cold = idOf('instance', 'north', 'cold')
const heat = idOf('instance', 'north', 'heat')
const westCold = idOf('instance', 'west', 'cold')

const app = await openTestApp()
app.setNow(now)
const token = await app.tokenOf('auditor@north.example')
beforeAll(async () => {
  const { fromMs } = dayBounds('2026-10-25')
  const seconds = (nowMs - fromMs) / 1000
  await app.readings.insert([
    {
      signalNo: await signalNo(app.records, 'north', 'cold', 'power'),
      t0Ms: fromMs,
      dtMs: 1000,
      values: Array.from({ length: seconds }, (_, i) => (i >= 10_800 && i < 14_400 ? 200 : 100)),
    },
    {
      signalNo: await signalNo(app.records, 'north', 'cold', 'capacityUp'),
      t0Ms: nowMs - 3_600_000,
      dtMs: 10_000,
      values: Array.from({ length: 360 }, () => 420),
    },
  ])
})
afterAll(() => app.close())

test('the capacity of a market covers 16 minutes before to 1 minute after the last report', async () => {
  const { status, body } = await app.ask(contract.powerCapacity, { token, query: { market: 'FCR-D-INC' } })
  expect(status).toBe(200)
  const last = nowMs - 10_000
  expect(body.data).toMatchObject({
    instance: { name: 'North Cold' },
    lastReported: new Date(last).toISOString(),
    from: new Date(last - 16 * 60_000).toISOString(),
    to: new Date(last + 60_000).toISOString(),
  })
  const [line] = body.data.graph
  expect(line?.unit).toBe('kW')
  expect(line?.x).toHaveLength(97)
  expect(new Set(line?.y)).toEqual(new Set([420]))
  const lastReported = await app.ask(contract.powerCapacityLastReported, {
    token,
    query: { market: 'FCR-D-INC', instanceId: cold },
  })
  expect(lastReported.body.data).toEqual({ lastReported: new Date(last).toISOString() })
})

test('the total capacity of a market adds the newest value of each instance and names instances silent for 15 minutes', async () => {
  const no = await signalNo(app.records, 'north', 'heat', 'capacityUp')
  await changeRows({ system: app.byHand }, 'instance', { instance_id: heat }, { markets: ['FCR-D-DEC', 'FCR-D-INC'] })
  await app.readings.insert([
    { signalNo: no, t0Ms: nowMs - 30 * 60_000, dtMs: 10_000, values: Array.from({ length: 61 }, () => 80) },
  ])
  const { status, body } = await app.ask(contract.powerCapacitySum, { token, query: { market: 'FCR-D-INC' } })
  expect(status).toBe(200)
  const data = body.data
  expect(data.instances.map(({ name, kw, lastReported }) => [name, kw, lastReported])).toEqual([
    ['North Cold', 420, new Date(nowMs - 10_000).toISOString()],
    ['North Heat', null, new Date(nowMs - 20 * 60_000).toISOString()],
  ])
  const [line] = data.graph
  const at = (minutesAgo: number) => line?.y[line.x.indexOf(nowMs - minutesAgo * 60_000)]
  expect([at(15), at(6), at(5), at(4)]).toEqual([500, 500, 500, 420])
  expect(line?.x.at(-1)).toBe(Date.parse(data.lastReported ?? ''))
})

test('the sold capacity follows the direction and is unknown to a viewer without access to bids', async () => {
  const bid = await storedRow(app.records, 'instance', { instance_id: cold }, [
    'customer_id',
    'instance_id',
    'licence_id',
  ])
  const request_id = newId()
  const slot = (starts_at: string, won_mw: string) => ({
    customer_id: bid.customer_id,
    instance_id: bid.instance_id,
    request_id,
    auction: 'D-1 early',
    market: 'FCR-D-INC',
    product: 'FCR-D-INC',
    day: '2026-10-25',
    slot: 12,
    starts_at,
    ends_at: new Date(Date.parse(starts_at) + 3_600_000).toISOString(),
    capacity_mw: won_mw,
    price_eur: '1',
    sent_at: '2026-10-24T10:00:00Z',
    won: true,
    won_mw,
  })
  await addRows({ system: app.byHand }, 'bid_request', {
    ...bid,
    request_id,
    market: 'FCR-D-INC',
    status: 'placed',
    note: '',
    excluded_days: '[]',
    start_date: '2026-10-25',
    end_date: '2026-10-25',
    custom_bidding: true,
    capacity_mw: [],
    price_eur: [],
    created_at: now,
    updated_at: now,
  })
  await addRows({ system: app.byHand }, 'bid', [
    slot('2026-10-25T11:00:00Z', '0.44'),
    { ...slot('2026-10-25T12:00:00Z', '0.9'), slot: 13 },
  ])
  const sold = async (by: string) => {
    const [all, one] = [
      await app.ask(contract.powerCapacitySum, { token: by, query: { market: 'FCR-D-INC' } }),
      await app.ask(contract.powerCapacity, { token: by, query: { market: 'FCR-D-INC', instanceId: cold } }),
    ]
    return [all.body.data.soldKw, one.body.data.soldKw]
  }
  expect(await sold(token)).toEqual([440, 440])
  expect(await sold(await app.tokenOf('custom@north.example'))).toEqual([null, null])
})

test('the capacity of an instance over a local day of 25 hours', async () => {
  const query = { market: 'FCR-D-INC', instanceId: cold, date: '2026-10-25' }
  const { status, body } = await app.ask(contract.instanceCapacity, { token, query })
  expect(status).toBe(200)
  const lastReported = new Date(nowMs - 10_000).toISOString()
  expect(body.data).toMatchObject({ group: { _id: cold, name: 'North Cold' }, simulated: false, lastReported })
  const [line] = body.data.capacityData
  expect([line?.name, line?.unit, line?.x.length, new Set(line?.y)]).toEqual(['FCR-D-INC', 'kW', 360, new Set([420])])
  const before = await app.ask(contract.instanceCapacity, { token, query: { ...query, date: '2026-10-24' } })
  expect(before.body.data.capacityData[0]?.x).toEqual([])
  const file = await app.ask(contract.instanceCapacity, { token, query: { ...query, format: 'csv' } })
  expect(file.text.trim().split('\r\n')).toHaveLength(361)
  const { market } = query
  expect(await app.data(contract.instanceCapacityLastReported, { token, query: { market } })).toEqual({
    lastReported,
  })
})

test('the instances of a licence have their capacity per market, unknown after 15 minutes without a report', async () => {
  const licence = await storedRow(app.records, 'instance', { instance_id: heat }, ['licence_id'])
  const ask = async () =>
    (await app.data(contract.capacityGroups, { token, params: { id: licence.licence_id } })).groups
  const silent = new Date(nowMs - 20 * 60_000).toISOString()
  expect(await ask()).toEqual([
    {
      _id: heat,
      name: 'North Heat',
      simulated: false,
      capacity: [
        { market: 'FCR-D-DEC', kw: null, lastReported: null },
        { market: 'FCR-D-INC', kw: null, lastReported: silent },
      ],
    },
  ])
  const down = await signalNo(app.records, 'north', 'heat', 'capacityDown')
  await app.readings.insert([{ signalNo: down, t0Ms: nowMs - 60_000, dtMs: 1000, values: [79, 78] }])
  expect((await ask())[0]?.capacity[0]).toEqual({
    market: 'FCR-D-DEC',
    kw: 78,
    lastReported: new Date(nowMs - 59_000).toISOString(),
  })
})

test('an unknown market is a 400; a market not sold and an instance of another customer are the same 404', async () => {
  expect((await app.ask(contract.powerCapacity, { token, query: { market: 'XYZ' } })).body.errors).toEqual({
    market: 'No such market',
  })
  const notSold = await app.ask(contract.powerCapacity, { token, query: { market: 'FFR' } })
  expect((await app.ask(contract.powerCapacitySum, { token, query: { market: 'FFR' } })).body).toEqual(notSold.body)
  const foreign = await app.ask(contract.powerCapacity, { token, query: { market: 'FCR-D-INC', instanceId: westCold } })
  expect(notSold.status).toBe(404)
  expect(foreign.body).toEqual(notSold.body)
  expect((await app.ask(contract.instanceOverview, { token, query: { groupId: westCold } })).body).toEqual(notSold.body)
  expect((await app.ask(contract.instanceLastReported, { token, query: { groupId: westCold } })).body).toEqual(
    notSold.body,
  )
})

test('the daily power file has every sample', async () => {
  const { text } = await app.ask(contract.instanceOverview, { token, query: { groupId: cold, format: 'csv' } })
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe('Time (Europe/Berlin),Time (UTC),Power (kW)')
  expect(lines).toHaveLength(1 + 13.5 * 3600)
})

test('power and hourly kWh of a day of 25 hours, up to now in the running hour and unknown later', async () => {
  const { body } = await app.ask(contract.instanceOverview, { token, query: { groupId: cold } })
  const { consumptionData, powerData, group } = body.data
  expect(group.name).toBe('North Cold')
  const [energy] = consumptionData
  expect(energy?.unit).toBe('kWh')
  expect(energy?.x).toHaveLength(25)
  expect(energy?.y.slice(0, 5)).toEqual([100, 100, 100, 200, 100])
  expect(energy?.y[13]).toBeCloseTo(50, 6) // 12:30 local: half of the 14th hour has passed
  expect(energy?.y.slice(14)).toEqual(Array.from({ length: 11 }, () => null))
  expect(Math.max(...(powerData[0]?.y ?? []).map((value) => value ?? 0))).toBe(200)
})

test('a window: power inside it, the hours that it touches, over more than 7 days kWh by local day', async () => {
  const overview = (query: object) => app.ask(contract.instanceOverview, { token, query: { groupId: cold, ...query } })
  const hours = await overview({ start: '2026-10-25T01:30:00Z', end: '2026-10-25T03:30:00Z', maxPoints: 100 })
  const [power] = hours.body.data.powerData
  expect(power?.x.length).toBeLessThanOrEqual(100)
  expect(
    power?.x.every((ms) => ms >= Date.parse('2026-10-25T01:30:00Z') && ms < Date.parse('2026-10-25T03:30:00Z')),
  ).toBe(true)
  const [hourly] = hours.body.data.consumptionData
  expect(hourly?.x.map((ms) => new Date(ms).toISOString().slice(11, 16))).toEqual(['01:00', '02:00', '03:00'])
  expect(hourly?.y).toEqual([200, 100, 100])

  const days = await overview({ start: '2026-10-15T22:00:00Z', end: '2026-10-26T23:00:00Z' })
  const [daily] = days.body.data.consumptionData
  expect(daily?.x).toHaveLength(11)
  // 12.5 hours of 100 kW and one of 200 kW until 12:30; the days before are unknown, tomorrow too.
  expect(daily?.y.filter((kwh) => kwh !== null)).toEqual([expect.closeTo(1450, 6)])
  expect(daily?.y[9]).toBeCloseTo(1450, 6)

  for (const query of [{ start: '2026-10-25T03:00:00Z', end: '2026-10-25T02:00:00Z' }, { start: 'yesterday' }])
    expect((await overview(query)).status).toBe(400)
})

test('answers and files of a simulated edge state that it is simulated, those of a real edge do not', async () => {
  const market = { market: 'FCR-D-INC' }
  const answers = async () =>
    Promise.all([
      app.ask(contract.powerCapacity, { token, query: market }).then(({ body }) => body.data.simulated),
      app.ask(contract.powerCapacitySum, { token, query: market }).then(({ body }) => body.data.simulated),
      app.ask(contract.instanceOverview, { token, query: { groupId: cold } }).then(({ body }) => body.data.simulated),
    ])
  const heads = async () => {
    const sent = { token, query: { ...market, format: 'csv' as const } }
    const files = [
      await app.ask(contract.powerCapacity, sent),
      await app.ask(contract.powerCapacitySum, sent),
      await app.ask(contract.instanceOverview, { token, query: { groupId: cold, format: 'csv' } }),
    ]
    return files.map(({ text }) => text.trim().split('\r\n')[1]?.split(',').at(-1))
  }
  expect(await answers()).toEqual([false, false, false])
  expect(await heads()).not.toContain('Simulated')
  await app.byHand((tx) => tx.updateTable('edge').set({ simulated: true }).where('key', '=', 'north-edge').execute())
  expect(await answers()).toEqual([true, true, true])
  expect(await heads()).toEqual(['Simulated', 'Simulated', 'Simulated'])
  await app.byHand(async (tx) => {
    const north = await tx.selectFrom('edge').selectAll().where('key', '=', 'north-edge').executeTakeFirstOrThrow()
    const edge_id = '019a0000-0000-7000-8000-0000000000ed'
    await tx
      .insertInto('edge')
      .values({ ...north, edge_id, key: 'north-real', simulated: false })
      .execute()
    await tx.updateTable('instance').set({ edge_id }).where('instance_id', '=', cold).execute()
  })
  expect(await answers()).toEqual([false, 'part', false])
  expect((await heads())[1]).toBe('Simulated: North Heat')
})
