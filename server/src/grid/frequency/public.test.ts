import { frequencyLastReported, frequencySeries, lastFrequencies } from '@gridmast/contract/grid/frequency.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows } from '#testing/rows.ts'
import { findFrequencySignals } from './queries.ts'
import { addPublicSignal } from '#testing/signals.ts'
import { idOf } from '#platform/records/ids.ts'

const now = '2026-11-20T17:12:08.000Z'
const nowMs = Date.parse(now)
const source = { name: 'Statnett', dataset: 'Frequency', licence: null, simulated: true, area: 'SE3' }

let token: string

const put = (signalNo: number, endMs: number, values: number[]) =>
  app.readings.insert([{ signalNo, t0Ms: endMs - values.length * 1000, dtMs: 1000, values }])

const app = await openTestApp()
app.setNow(now)
await addRows(app.records, 'connector_state', { source: 'statnett', dataset: 'Frequency', simulated: true })
const [north] = await app.records.system((tx) => findFrequencySignals(tx, idOf('customer', 'north')))
if (!north) throw new Error('the factory makes one')
const own = north
beforeEach(async () => {
  token = await app.tokenOf('sudoer@north.example')
})
afterAll(() => app.close())

const series = async (query: Record<string, string> = {}) => {
  const { body, text, headers } = await app.ask(frequencySeries, { token, params: { id: own.frequency_id }, query })
  return { data: body.data, text, headers }
}
const last = async () => await app.data(lastFrequencies, { token })

test('without any measurement the chart is empty and has no last value', async () => {
  expect((await series()).data).toMatchObject({ graph: [{ x: [], y: [] }], lastReported: null, source: null })
  expect(await last()).toEqual({ frequencies: [] })
})

test('an area without its own measurement shows that of its grid and names the source area', async () => {
  const sweden = await addPublicSignal(app.records, 'SE3', 'frequency')
  await put(sweden, nowMs, [49.98, 49.97])
  expect((await series()).data).toMatchObject({
    graph: [{ name: own.name, y: [49.98, 49.97] }],
    lastReported: new Date(nowMs - 1000).toISOString(),
    source,
    simulated: true,
  })
  const { body } = await app.ask(frequencyLastReported, { token, query: { id: own.frequency_id } })
  expect(body.data).toEqual({ lastReported: new Date(nowMs - 1000).toISOString() })
  const at = new Date(nowMs - 1000).toISOString()
  expect(await last()).toEqual({ frequencies: [{ area: 'DK2', hz: 49.97, at, source, simulated: true }] })
  const { text, headers } = await series({ date: '2026-11-20', format: 'csv' })
  expect(headers['content-disposition']).toContain('Statnett')
  expect(text.trim().split('\r\n')).toHaveLength(3)
})

test('a measurement in the area has priority over one elsewhere in the grid', async () => {
  const no = await addPublicSignal(app.records, 'DK2', 'frequency')
  await put(no, nowMs, [50.01])
  expect((await series()).data).toMatchObject({ graph: [{ y: [50.01] }], source: { area: 'DK2' } })
})

test('the own measurement has priority over public ones within its time range', async () => {
  await put(own.no, nowMs - 60_000, [50.1])
  expect((await series()).data).toMatchObject({ graph: [{ y: [50.1] }], source: null, simulated: false })
  const at = new Date(nowMs - 61_000).toISOString()
  expect(await last()).toEqual({ frequencies: [{ area: 'DK2', hz: 50.1, at, source: null, simulated: false }] })
  const later = { start: new Date(nowMs - 30_000).toISOString(), end: now }
  expect((await series(later)).data).toMatchObject({ graph: [{ y: [50.01] }], source: { name: 'Statnett' } })
})

test('the own measurement of a simulated edge is marked, also in files', async () => {
  await changeRows(app.records, 'edge', { key: 'north-edge' }, { simulated: true })
  expect((await series()).data).toMatchObject({ graph: [{ y: [50.1] }], source: null, simulated: true })
  expect((await last()).frequencies).toMatchObject([{ hz: 50.1, simulated: true }])
  expect((await series({ date: '2026-11-20', format: 'csv' })).text.trim()).toMatch(/,50.1,Simulated$/)
})
