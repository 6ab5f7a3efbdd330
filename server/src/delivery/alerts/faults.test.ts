import { acknowledgeTriggered } from '@gridmast/contract/notifications/triggered.ts'
import { findFaults } from '@gridmast/contract/notifications/faults.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { findInstance } from '#delivery/instance.fixture.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows } from '#testing/rows.ts'

const now = '2026-11-20T12:00:00Z'
const at = (minutes: number) => new Date(Date.parse(now) + minutes * minuteMs)

const app = await openTestApp()
app.setNow(now)
const north = await findInstance(app)
await changeRows({ system: app.byHand }, 'edge', {}, { last_reported_at: at(-1) })
afterAll(() => app.close())

const alert = (name: string) => ({
  customer_id: north.customerId,
  alert_id: newId(),
  instance_id: north.instanceId,
  name,
  type: 'power',
  criteria: 'gt',
  threshold: 400,
  email: 'ops@north.example',
  notification: true,
  valid_from: at(-9999),
  created_at: at(-9999),
})
const trigger = ({ alert_id, name }: ReturnType<typeof alert>, minutes: number, value: number) => ({
  customer_id: north.customerId,
  trigger_id: newId(at(minutes).getTime()),
  alert_id,
  instance_id: north.instanceId,
  name,
  type: 'power',
  criteria: 'gt',
  threshold: 400,
  value,
  triggered_at: at(minutes),
  crossed_at: at(minutes),
  late: false,
  notification: true,
})

const faultsOf = async (email = 'sudoer@north.example') =>
  (await app.data(findFaults, { token: await app.tokenOf(email) })).faults
const kinds = async (email?: string) => (await faultsOf(email)).map(({ kind }) => kind)

test('without a silent edge there is no fault; an edge silent for 15 minutes is one', async () => {
  expect(await faultsOf()).toEqual([])
  await changeRows({ system: app.byHand }, 'edge', { edge_id: north.edgeId }, { last_reported_at: at(-15) })
  expect(await faultsOf()).toEqual([
    {
      kind: 'edge',
      name: expect.any(String),
      instances: expect.arrayContaining(['North Cold']),
      since: at(-15).toISOString(),
    },
  ])
})

test('slots at risk are one fault per instance and market, for users who can read bids', async () => {
  const guard = alert('Guard')
  const told = { ...trigger(guard, -30, 380), type: 'sold-capacity' }
  const risk = (hours: number, closed_at: Date | null = null) => ({
    customer_id: north.customerId,
    instance_id: north.instanceId,
    market: 'FCR-D-INC',
    product: 'FCR-D-INC',
    starts_at: at(60 * hours),
    ends_at: at(60 * (hours + 1)),
    sold_kw: 400,
    expected_kw: 380,
    short_kw: 20 + hours,
    state: 'short',
    told_kw: 400,
    trigger_id: told.trigger_id,
    raised_at: at(-30),
    checked_at: at(-1),
    closed_at,
  })
  await app.byHand(async (tx) => {
    await tx.insertInto('alert').values(guard).execute()
    await tx.insertInto('alert_trigger').values(told).execute()
  })
  await addRows({ system: app.byHand }, 'sold_risk', [risk(1), risk(2), risk(3, at(-2)), risk(-2)])
  expect((await faultsOf()).at(-1)).toMatchObject({
    kind: 'slots',
    market: 'FCR-D-INC',
    instanceName: 'North Cold',
    count: 2,
    start: at(60).toISOString(),
    shortKw: 22,
  })
  expect(await kinds('custom@north.example')).toEqual(['edge'])
})

test('an alert is one fault with its newest value and count of today, and comes last when acknowledged', async () => {
  const [often, once] = [alert('Often'), alert('Once')]
  const newest = trigger(often, -5, 430)
  await app.byHand(async (tx) => {
    await tx.insertInto('alert').values([often, once]).execute()
    await tx
      .insertInto('alert_trigger')
      .values([
        trigger(often, -60, 410),
        newest,
        trigger(once, -90, 401),
        trigger(once, -60 * 24, 499),
        { ...trigger(once, -30, 450), type: 'sold-capacity' },
      ])
      .execute()
  })
  const alerts = async () =>
    (await faultsOf()).flatMap((one) =>
      one.kind === 'alert' ? [[one.name, one.value, one.count, one.isAcknowledged]] : [],
    )
  expect(await alerts()).toEqual([
    ['Often', 430, 2, false],
    ['Once', 401, 1, false],
  ])
  const token = await app.tokenOf('sudoer@north.example')
  await app.ask(acknowledgeTriggered, { token, params: { id: newest.trigger_id }, body: {} })
  expect(await alerts()).toEqual([
    ['Once', 401, 1, false],
    ['Often', 430, 2, true],
  ])
})

test('T1 another company reads no fault', async () => {
  expect(await faultsOf('sudoer@west.example')).toEqual([])
})

test('a faulted connector and a meter without new readings are faults', async () => {
  const { customerId: customer_id } = north
  const [charger_id, group_id] = [newId(), newId()]
  await app.byHand(async (tx) => {
    await sql`insert into licence (customer_id, licence_id, type, name, icon, enabled) values (${customer_id}, ${newId()}, 'evCharging', 'EV', '', true)`.execute(
      tx,
    )
    await sql`
      insert into charger (customer_id, charger_id, identity, name, licence_id, charger_type, connectors, max_kw, security_profile, password_hash, position, online, last_seen_at)
      values (${customer_id}, ${charger_id}, 'north-fault', 'NF-04', ${north.licenceId}, 'AC', 2, 22, 1, 'x', 1, true, ${at(-1)})`.execute(
      tx,
    )
    await sql`
      insert into charger_connector (customer_id, charger_id, evse_no, connector_no, state, error, state_at)
      values (${customer_id}, ${charger_id}, 1, 1, 'faulted', 'GroundFailure', ${at(-14)}), (${customer_id}, ${charger_id}, 2, 1, 'available', null, ${at(-9)})`.execute(
      tx,
    )
    await sql`insert into meter_group (customer_id, group_id, cvr, created_at) values (${customer_id}, ${group_id}, '99000007', ${at(-99)})`.execute(
      tx,
    )
    await sql`
      insert into meter (customer_id, meter_id, group_id, metering_point_id, name, price_signal_id, tax_dkk_per_mwh, enabled, last_read_at, added_at)
      select ${customer_id}, x.meter_id::uuid, ${group_id}, x.no, x.name, (select price_signal_id from price_signal where customer_id = ${customer_id} limit 1), 0, true,
        x.at::timestamptz, ${at(-99_999)}
      from (values (${newId()}, '571313000000000013', 'Read', ${at(-60).toISOString()}), (${newId()}, '571313000000000020', 'Silent', ${at(-60 * 24 * 5).toISOString()})) x (meter_id, no, name, at)`.execute(
      tx,
    )
  })
  const found = await faultsOf()
  expect(found[0]).toMatchObject({
    kind: 'charger',
    name: 'NF-04',
    connectorId: 1,
    error: 'GroundFailure',
    since: at(-14).toISOString(),
  })
  expect(found).toContainEqual({ kind: 'meters', names: ['Silent'], count: 1, since: at(-60 * 24 * 5).toISOString() })
})

test('T1 R1 the faults as a file: what, where and since when, as far as the user may read them', async () => {
  const fileOf = async (email: string) => {
    const { text } = await app.ask(findFaults, { token: await app.tokenOf(email), query: { format: 'csv' } })
    return text.trim().split(/\r?\n/)
  }
  const [head, ...lines] = await fileOf('sudoer@north.example')
  expect(head).toBe('Kind,Name,Details,Since (Europe/Berlin),Since (UTC)')
  expect(lines).toEqual([
    'Charger faulted,NF-04,"Connector 1, GroundFailure",2026-11-20 12:46:00,2026-11-20T11:46:00.000Z',
    expect.stringMatching(/^Edge not reporting,[\w-]+,"?North Cold.*,2026-11-20 12:45:00,/),
    'Sold capacity at risk,FCR-D-INC North Cold,"2 slots from 20.11.2026 14:00, short 22 kW",2026-11-20 12:30:00,2026-11-20T11:30:00.000Z',
    'Alert,Once,"North Cold, 401 kW, above 400 kW, triggered today: 1",2026-11-20 11:30:00,2026-11-20T10:30:00.000Z',
    'Meters without new readings,1 meter,Silent,2026-11-15 13:00:00,2026-11-15T12:00:00.000Z',
    'Alert,Often,"North Cold, 430 kW, above 400 kW, triggered today: 2, acknowledged",2026-11-20 12:55:00,2026-11-20T11:55:00.000Z',
  ])
  expect((await fileOf('custom@north.example')).join()).not.toMatch(/Charger faulted|Sold capacity/)
  expect(await fileOf('sudoer@west.example')).toEqual([head])
})
