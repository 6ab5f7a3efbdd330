import { eventRecord } from '@gridmast/contract/delivery/events.ts'
import { afterAll, expect, test } from 'vitest'
import { sealFinal } from '#delivery/flight-record/sealing.ts'
import { verifyRecord } from '#delivery/flight-record/verify.ts'
import { eventRow, findInstance } from '#delivery/instance.fixture.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows } from '#testing/rows.ts'
import { finalEvents } from './record.ts'

const startMs = Date.parse('2026-11-19T10:00:00Z')
const eventId = newId()
const runningId = newId()

let power = 0
const app = await openTestApp()
app.setNow('2026-11-20T06:00:00Z')
let token = await app.tokenOf('auditor@north.example')
const cold = await findInstance(app)
power = cold.noOf('power')
const t0Ms = startMs - 120_000
const second = (n: number) => n - 120
const isAsked = (n: number) => second(n) >= 0 && second(n) < 60
const values = (of: (n: number) => number) => Array.from({ length: 360 }, (_, n) => of(n))
await app.readings.insert([
  { signalNo: cold.noOf('frequency'), t0Ms, dtMs: 1000, values: values((n) => (isAsked(n) ? 49.7 : 50)) },
  { signalNo: power, t0Ms, dtMs: 1000, values: values((n) => (isAsked(n) ? 690 : 900)) },
])
const row = (id: string, more: object) => ({
  ...eventRow(cold, id, new Date(startMs)),
  delta_load: 50,
  ended_at: new Date(startMs + 60_000),
  ...more,
})
await addRows(app.records, 'event', [
  row(eventId, {}),
  row(runningId, { started_at: new Date(startMs + 3_600_000), ended_at: null, is_final: false }),
])
afterAll(() => app.close())

const record = (id: string, by = token) => app.ask(eventRecord, { token: by, params: { id } })
type Line = { part?: string; values?: number[]; requiredKw?: number[]; deliveredKw?: number[] }
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test('a record has the samples, the required power per second, the event and its score, sealed', async () => {
  const { text, status } = await record(eventId)
  expect(status).toBe(200)
  expect(verifyRecord(text)).toMatchObject({ wrong: [], subject: `event ${eventId}`, own: { no: 1 } })
  const lines = linesOf(text)
  const part = (name: string) => lines.find((line) => line.part?.startsWith(name))
  expect(lines.flatMap((line) => line.part ?? []).slice(0, 7)).toEqual([
    'about',
    'event',
    'score',
    'bids',
    'prices',
    'contract',
    'settlement versions',
  ])
  expect(part('frequency 2026-11-19T10:00Z')?.values?.slice(0, 2)).toEqual([49.7, 49.7])
  // 420 kW × (49.9 − 49.7) / 0.4, and 900 − 690 kW.
  expect([part('required and delivered')?.requiredKw?.[10], part('required and delivered')?.deliveredKw?.[10]]).toEqual(
    [210, 210],
  )
})

test('later samples give another record, and the first one stays in the chain', async () => {
  const first = await record(eventId)
  expect((await record(eventId)).text).toBe(first.text)
  await app.readings.insert([{ signalNo: power, t0Ms: startMs + 30_000, dtMs: 1000, values: [700] }])
  const second = await record(eventId)
  expect(verifyRecord(second.text)).toMatchObject({ wrong: [], own: { no: 2 } })
  expect(verifyRecord(second.text).links[0]?.content).toBe(verifyRecord(first.text).links[0]?.content)
})

test('an event is sealed once a week after its day, and later samples without a new score keep its file', async () => {
  app.setNow('2026-11-26T22:59:00Z')
  expect(await sealFinal(app, [finalEvents])).toBe(0)
  app.setNow('2026-11-26T23:00:00Z')
  expect(await sealFinal(app, [finalEvents])).toBe(1)
  expect(await sealFinal(app, [finalEvents])).toBe(0)
  token = await app.tokenOf('auditor@north.example')
  const sealed = await record(eventId)
  expect(verifyRecord(sealed.text)).toMatchObject({ wrong: [], subject: `event ${eventId}` })
  await app.readings.insert([{ signalNo: power, t0Ms: startMs + 30_500, dtMs: 1000, values: [800] }])
  expect((await record(eventId)).text).toBe(sealed.text)
  await app.byHand((tx) => tx.updateTable('event').set({ score: 12 }).where('event_id', '=', eventId).execute())
  expect(await sealFinal(app, [finalEvents])).toBe(1)
  expect((await record(eventId)).text).not.toBe(sealed.text)
})

test('T4 a running event and another customer have no record', async () => {
  expect((await record(runningId)).status).toBe(409)
  expect((await record(eventId, await app.tokenOf('sudoer@west.example'))).status).toBe(404)
})
