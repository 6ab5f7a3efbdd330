import { frequencyLastReported, frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { storedRows } from '#testing/rows.ts'
import { findFrequencySignals } from './queries.ts'
import { idOf } from '#platform/records/ids.ts'

const now = '2026-11-20T17:12:08.000Z'
const nowMs = Date.parse(now)

const signalOf = async (customerKey: string) => {
  const [signal] = await app.records.system((tx) => findFrequencySignals(tx, idOf('customer', customerKey)))
  if (!signal) throw new Error('the factory makes one')
  return signal
}

const app = await openTestApp()
app.setNow(now)
const token = await app.tokenOf('sudoer@north.example')
const [north, west] = [await signalOf('north'), await signalOf('west')]
const ids: { north: string; west: string } = { north: north.frequency_id, west: west.frequency_id }
const oneHour = Array.from({ length: 3600 }, (_, i) => 50 + Math.sin(i / 100) / 20)
await app.readings.insert([
  { signalNo: north.no, t0Ms: nowMs - 3_600_000, dtMs: 1000, values: oneHour },
  { signalNo: west.no, t0Ms: nowMs - 3_600_000, dtMs: 1000, values: [49.11] },
])
afterAll(() => app.close())

const series = (query?: Record<string, string>, id = ids.north) =>
  app.ask(frequencySeries, { token, params: { id }, ...(query ? { query } : {}) })

test('the default window is the last 30 minutes in Hz, one value per second, with the time of the last report', async () => {
  const { status, body } = await series({ maxPoints: '2000' })
  expect(status).toBe(200)
  const { graph, lastReported } = body.data
  expect(graph).toHaveLength(1)
  expect(graph[0]).toMatchObject({ unit: 'Hz', kind: 'line' })
  expect(graph[0]?.x).toHaveLength(1800)
  expect(graph[0]?.x[0]).toBe(nowMs - 1_800_000)
  expect(lastReported).toBe(new Date(nowMs - 1000).toISOString())
})

test('decimation keeps the minimum and the maximum', async () => {
  const { body } = await series({ date: '2026-11-20', maxPoints: '50' })
  const [line] = body.data.graph
  const values = (line?.y ?? []).filter((value) => value !== null)
  expect(line?.y.length).toBeLessThanOrEqual(50)
  const all = Array.from({ length: 3600 }, (_, i) => 50 + Math.sin(i / 100) / 20)
  expect(Math.max(...values)).toBeCloseTo(Math.max(...all), 9)
  expect(Math.min(...values)).toBeCloseTo(Math.min(...all), 9)
})

test('start and end are instants or times of the local day', async () => {
  const byClock = await series({ date: '2026-11-20', start: '18:00', end: '18:05' })
  const byInstant = await series({ start: '2026-11-20T17:00:00Z', end: '2026-11-20T17:05:00Z' })
  expect(byClock.body).toEqual(byInstant.body)
  const [line] = byClock.body.data.graph
  expect(line?.x).toHaveLength(300)
})

test.each([
  [{ start: 'soon' }, 'start'],
  [{ date: '2026-02-30' }, 'date'],
  [{ date: '2026-11-20', start: '12:00', end: '11:00' }, 'end'],
  [{ start: '2020-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' }, 'end'],
  [{ maxPoints: '100000' }, 'maxPoints'],
  [{ maxPoint: '10' }, 'maxPoint'],
  [{ format: 'pdf' }, 'format'],
])('L1 %j is refused with the name of the field', async (query, field) => {
  const { status, body } = await series(query)
  expect(status).toBe(400)
  expect(Object.keys(body.errors ?? {})).toEqual([field])
})

test('T1 a frequency of another customer, an unknown and a disabled one get the same answer', async () => {
  const sentence = (id: string) => ({ success: false, message: `Frequency Signal with id ${id} is not enabled` })
  const unknown = '019a0000-0000-7000-8000-00000000dead'
  for (const id of [ids.west, unknown]) {
    expect(await series({}, id)).toMatchObject({ status: 404, body: sentence(id) })
    const last = await app.ask(frequencyLastReported, { token, query: { id } })
    expect(last).toMatchObject({ status: 404, body: sentence(id) })
  }
  const enable = (enabled: boolean) =>
    app.byHand((tx) => tx.updateTable('instance').set({ enabled }).where('name', '=', 'North Cold').execute())
  await enable(false)
  const disabled = await series()
  await enable(true)
  expect(disabled).toMatchObject({ status: 404, body: sentence(ids.north) })
  expect(Object.keys(disabled.body)).toEqual(['success', 'message'])
  expect((await series({}, 'x')).status).toBe(400)
})

test('the file has every sample of the day in local time and UTC, and the export is on the audit trail', async () => {
  const { status, text, headers } = await series({ date: '2026-11-20', format: 'csv' })
  expect(status).toBe(200)
  expect(headers['content-disposition']).toMatch(/^attachment; filename="Frequency_DK2_Nordic_2026-11-20_00_00\.csv"$/)
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe('Time (Europe/Berlin),Time (UTC),DK2 · Nordic (Hz)')
  expect(lines).toHaveLength(1 + 3600)
  expect(lines[1]).toBe('2026-11-20 17:12:08,2026-11-20T16:12:08.000Z,50')
  const trail = await storedRows(app.records, 'audit_entry', { action: 'export' }, ['action', 'subject'])
  expect(trail).toEqual([{ action: 'export', subject: 'Frequency DK2 · Nordic 2026-11-20 00:00' }])
})

test('L1 a range with more samples than a sheet can hold is refused and is not on the audit trail', async () => {
  const { no } = await signalOf('north')
  const t0Ms = Date.parse('2026-10-01T00:00:00Z')
  await app.readings.insert([{ signalNo: no, t0Ms, dtMs: 1000, values: Array.from({ length: 1_048_575 }, () => 50) }])
  const exports = () => storedRows(app.records, 'audit_entry', { action: 'export' })
  const before = await exports()
  const { status, body } = await series({ start: '2026-10-01T00:00:00Z', end: '2026-10-14T00:00:00Z', format: 'csv' })
  expect(status).toBe(400)
  expect(body.errors).toEqual({ end: '1048575 samples do not fit a sheet of 1048575: choose a shorter time' })
  expect(await exports()).toEqual(before)
})

test('a day of 25 hours is one request', async () => {
  const { fromMs, toMs } = dayBounds('2026-10-25')
  expect(toMs - fromMs).toBe(25 * 3_600_000)
  const { status } = await series({ date: '2026-10-25' })
  expect(status).toBe(200)
})
