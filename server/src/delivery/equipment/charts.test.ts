import { equipmentSeries, signalLastReported } from '@gridmast/contract/delivery/equipment.ts'
import { afterAll, expect, test } from 'vitest'
import { findInstance } from '#delivery/instance.fixture.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, storedRow, storedRows } from '#testing/rows.ts'

const now = '2026-11-20T18:00:00.000Z'
const nowMs = Date.parse(now)

const ask = (query: Record<string, string> = {}) =>
  app.ask(equipmentSeries, { token, query: { signalId: cold.signalIdOf('power'), ...query } })

const app = await openTestApp()
app.setNow(now)
const token = await app.tokenOf('auditor@north.example')
const cold = await findInstance(app)
const westPower: string = (await findInstance(app, 'cold', 'west')).signalIdOf('power')
const seconds = Array.from({ length: 3600 }, (_, i) => i)
await app.readings.insert([
  {
    signalNo: cold.noOf('power'),
    t0Ms: nowMs - 3_600_000,
    dtMs: 1000,
    values: seconds.map((s) => (s < 3000 ? 400 : 230)),
  },
  { signalNo: cold.noOf('setPoint'), t0Ms: nowMs - 3_600_000, dtMs: 2_400_000, values: [0, 40] },
])
afterAll(() => app.close())

test('the default is set point and power of the last 15 minutes, whichever signal of the instance is named', async () => {
  for (const kind of ['power', 'setPoint', 'frequency']) {
    const { status, body } = await ask({ signalId: cold.signalIdOf(kind) })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      downloadable: true,
      simulated: false,
      command: null,
      lastReported: new Date(nowMs - 1000).toISOString(),
      power: [{ name: 'Power', unit: 'kW', kind: 'line' }, { name: 'Expected' }],
      setPoint: [{ name: 'Set point', unit: '%', kind: 'step', x: [], y: [] }],
    })
    expect(body.data.power[0]?.x[0]).toBe(nowMs - 900_000)
    expect(body.data.power[0]?.y.filter((kw) => kw === 230)).toHaveLength(600)
  }
})

test('with prefillData a curve begins with a value of the previous 15 minutes', async () => {
  const setPoint = async (start: string) => {
    const { body } = await ask({ date: '2026-11-20', start, end: '19:00', prefillData: 'true' })
    return body.data.setPoint[0]
  }
  expect(await setPoint('18:50')).toMatchObject({ x: [Date.parse('2026-11-20T17:50:00Z')], y: [40] })
  expect(await setPoint('18:40')).toMatchObject({ x: [Date.parse('2026-11-20T17:40:00Z')], y: [40] })
  expect(await setPoint('18:56')).toMatchObject({ x: [], y: [] })
})

test('with dataDecimation=false every sample of an hour is returned, otherwise at most 1,500 points', async () => {
  const hour = { date: '2026-11-20', start: '18:00', end: '19:00' }
  expect((await ask(hour)).body.data.power[0]?.x.length).toBeLessThanOrEqual(1500)
  expect((await ask({ ...hour, dataDecimation: 'false' })).body.data.power[0]?.x).toHaveLength(3600)
})

test('the expected power is the power before the set point left 0, moved by the share of the flexible power', async () => {
  const expected = async (start: string) => {
    const { body } = await ask({ date: '2026-11-20', start, end: '19:00' })
    return body.data.power[1]
  }
  // 400 kW before; 40 % of 420 kW flexible.
  expect(await expected('18:30')).toMatchObject({
    name: 'Expected',
    unit: 'kW',
    kind: 'step',
    x: [Date.parse('2026-11-20T17:40:00Z')],
    y: [232],
  })
  expect(await expected('18:10')).toMatchObject({ y: [232] })
  expect(await expected('18:50')).toMatchObject({ x: [], y: [] })
})

test('a time without samples is not downloadable', async () => {
  const { body } = await ask({ date: '2026-11-01' })
  expect(body.data).toMatchObject({ downloadable: false, power: [{ x: [] }, { x: [] }], setPoint: [{ x: [] }] })
})

test('C4 the file has every sample of both series and is on the trail', async () => {
  const { text } = await ask({ date: '2026-11-20', start: '18:30', end: '18:50', format: 'csv' })
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe('Time (Europe/Berlin),Time (UTC),Set point (%),Power (kW)')
  expect(lines).toHaveLength(1 + 1200)
  expect(lines.filter((line) => line.includes(',40.000,') || /,40,/.test(line))).toHaveLength(1)
  const trail = await storedRows(app.records, 'audit_entry', { action: 'export' }, ['subject'])
  expect(trail).toEqual([{ subject: 'Equipment testing North Cold 2026-11-20 18:30' }])
})

test('the newest command of the instance or of its whole edge is returned', async () => {
  const { customer_id, edge_id } = await storedRow(app.records, 'edge', { key: 'north-edge' }, [
    'customer_id',
    'edge_id',
  ])
  const give = (instance_id: string | null, set_point: number, agoMs: number) =>
    addRows(app.records, 'equipment_command', {
      customer_id,
      edge_id,
      instance_id,
      command_id: newId(),
      user_id: newId(),
      target: 'x',
      set_point,
      action: 'manual-control',
      test_type: 'control',
      is_open: false,
      status: 'APPLIED',
      issued_at: new Date(nowMs - agoMs),
      expires_at: new Date(nowMs),
      held_until: new Date(nowMs + 1000),
    })
  await give(cold.instanceId, 40, 5000)
  expect((await ask()).body.data.command).toMatchObject({ setPoint: 40, status: 'APPLIED' })
  await give(null, 0, 4000)
  expect((await ask()).body.data.command).toMatchObject({ setPoint: 0 })
})

test('T1 T3 the signal of another customer and an unknown one give the same 404', async () => {
  for (const signalId of [westPower, newId()]) {
    expect((await ask({ signalId })).status).toBe(404)
    expect((await app.ask(signalLastReported, { token, query: { signalId } })).status).toBe(404)
  }
})

test('last reported is the time of the newest sample of a signal', async () => {
  const at = async (kind: string) =>
    (await app.data(signalLastReported, { token, query: { signalId: cold.signalIdOf(kind) } })).lastReported
  expect(await at('power')).toBe(new Date(nowMs - 1000).toISOString())
  expect(await at('setPoint')).toBe(new Date(nowMs - 1_200_000).toISOString())
  expect(await at('soc')).toBeNull()
})

test.each([
  [{ prefillData: 'yes' }, 'prefillData'],
  [{ dataDecimation: '1' }, 'dataDecimation'],
  [{ signalId: 'power' }, 'signalId'],
  [{ date: '2026-11-20', start: '12:00', end: '11:00' }, 'end'],
])('R3 %j is refused', async (query, field) => {
  const { status, body } = await ask(query)
  expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
})
