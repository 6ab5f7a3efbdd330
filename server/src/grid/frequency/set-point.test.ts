import { setPointSeries } from '@gridmast/contract/grid/frequency.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { storedRows } from '#testing/rows.ts'
import { signalNo } from '#testing/signals.ts'
import { idOf } from '#platform/records/ids.ts'

const now = '2026-11-20T17:12:08.000Z'
const nowMs = Date.parse(now)

const cold = idOf('instance', 'north', 'cold')

const app = await openTestApp()
app.setNow(now)
const token = await app.tokenOf('auditor@north.example')
const no = await signalNo(app.records, 'north', 'cold', 'setPoint')
const values = Array.from({ length: 3600 }, (_, i) => (i < 3000 ? 0 : 40))
await app.readings.insert([{ signalNo: no, t0Ms: nowMs - 3_600_000, dtMs: 1000, values }])
afterAll(() => app.close())

const ask = (query: Record<string, string> = {}) =>
  app.ask(setPointSeries, { token, query: { instanceId: cold, ...query } })

test('the set point covers the range of the frequency chart, in percent, as steps', async () => {
  const { status, body } = await ask({ maxPoints: '2000' })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    instance: { _id: cold, name: 'North Cold' },
    lastReported: new Date(nowMs - 1000).toISOString(),
    graph: [{ unit: '%', kind: 'step' }],
    simulated: false,
  })
  const [line] = body.data.graph
  expect(line?.x[0]).toBe(nowMs - 1_800_000)
  expect(line?.y.filter((value) => value === 40)).toHaveLength(600)
})

test('a date with times of day is a range', async () => {
  const { body } = await ask({ date: '2026-11-20', start: '18:00', end: '18:05' })
  const [line] = body.data.graph
  expect(line?.x[0]).toBe(Date.parse('2026-11-20T17:00:00Z'))
  expect(line?.x).toHaveLength(300)
})

test.each([
  [{ date: '2026-02-30' }, { date: 'Must be a date such as 2026-11-20' }],
  [{ date: '2026-11-20', start: '12:00', end: '11:00' }, { end: 'Must be after the start' }],
  [{ date: '2026-03-29', start: '02:30', end: '03:00' }, { start: m.skippedHour }],
  [{ date: '2026-03-29', start: '01:00', end: '01:00' }, { end: 'Must be after the start' }],
  [{ start: '0001-01-01T00:00:00Z', end: '0001-01-02T00:00:00Z' }, { start: m.instantOrTime }],
  [{ date: '9999-12-31' }, { date: m.year }],
  [{ start: '12:60' }, { start: 'Must be an instant such as 2026-11-20T10:00:00Z, or a time such as 18:05' }],
  [{ start: '2025-01-01T00:00:00Z', end: '2026-02-05T00:00:01Z' }, { end: 'At most 400 days' }],
  [{ instanceId: 'x' }, { instanceId: 'Not a valid id' }],
])('%j is refused', async (query, errors) => {
  const { status, body } = await ask(query)
  expect([status, body.errors]).toEqual([400, errors])
})

test('the longest range is 400 days, of local days too when one of them has 25 hours', async () => {
  expect((await ask({ start: '2025-01-01T00:00:00Z', end: '2026-02-05T00:00:00Z' })).status).toBe(200)
  const autumn = { start: '2025-10-21T22:00:00Z', end: '2026-11-25T23:00:00Z' }
  expect((await ask(autumn)).status).toBe(200)
  expect((await ask({ ...autumn, end: '2026-11-25T23:00:01Z' })).status).toBe(400)
})

test('T1 an instance of another customer and an unknown one get the same 404', async () => {
  const foreign = await ask({ instanceId: idOf('instance', 'west', 'cold') })
  expect(foreign.status).toBe(404)
  expect(foreign.body).toEqual((await ask({ instanceId: '019a0000-0000-7000-8000-00000000dead' })).body)
})

test('C4 the file holds every sample and is on the audit trail', async () => {
  const { text } = await ask({ date: '2026-11-20', format: 'csv' })
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe('Time (Europe/Berlin),Time (UTC),Set point (%)')
  expect(lines).toHaveLength(1 + 3600)
  const trail = await storedRows(app.records, 'audit_entry', { action: 'export' }, ['subject'])
  expect(trail).toEqual([{ subject: 'Set point North Cold 2026-11-20 00:00' }])
})

test('answer and file of a simulated edge are marked as simulated', async () => {
  await app.byHand((tx) => tx.updateTable('edge').set({ simulated: true }).where('key', '=', 'north-edge').execute())
  expect((await ask()).body.data.simulated).toBe(true)
  const { text } = await ask({ date: '2026-11-20', format: 'csv' })
  expect(text.trim().split('\r\n').slice(0, 2)).toEqual([
    'Time (Europe/Berlin),Time (UTC),Set point (%),Source',
    '2026-11-20 17:12:08,2026-11-20T16:12:08.000Z,0,Simulated',
  ])
})
