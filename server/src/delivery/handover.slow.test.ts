import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minuteMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { openReadings, type Readings } from '#readings/readings.ts'
import { rows } from '#readings/sql.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRows } from '#testing/rows.ts'
import { startAlerts } from './alerts/triggers.ts'
import { startEvents } from './events/detection.ts'
import { findInstance, type TestInstance } from './instance.fixture.ts'
import { clientOf, partitionOf } from './instances/partition.ts'

/** A shared store whose writers have clocks that differ by 14 s. */
const aheadMs = 7000
const behindMs = -7000

let app: TestApp
let cold: TestInstance
let folder: string
let server: ChildProcess
let url: string
const opened: Readings[] = []

beforeAll(async () => {
  app = await openTestApp({ MQTT_URL: 'mqtt://127.0.0.1:9' })
  cold = await findInstance(app)
  folder = await mkdtemp(join(tmpdir(), 'gridmast-handover-'))
  server = spawn(process.execPath, [join(import.meta.dirname, '../../../tools/readings-server.ts')], {
    env: { ...process.env, DATA_DIR: folder, READINGS_PORT: '0', READINGS_PASSWORD: 'harbour' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  url = `http://default:harbour@127.0.0.1:${port}`
})
afterAll(async () => {
  for (const readings of opened) await readings.close()
  server.kill('SIGKILL')
  await once(server, 'exit')
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const openWriter = async (offsetMs: number) => {
  const readings = await openReadings({ url, now: () => Date.now() + offsetMs, rollupRoundMs: 0 })
  opened.push(readings)
  return readings
}
const partition = { no: partitionOf('north-edge', 2), of: 2 }

/** The engines of a partition in a process with this store and clock. */
const openProcess = async (readings: Readings, offsetMs: number) => {
  const process = { ...app, readings, clock: { now: () => Date.now() + offsetMs } }
  const engines = [await startAlerts(process, partition), await startEvents(process, partition)]
  const settled = async () => {
    for (const engine of engines) await engine.settled()
  }
  await settled()
  const close = async () => {
    for (const engine of engines) await engine.close()
  }
  return { settled, close }
}
const insert = (readings: Readings, t0Ms: number, power: number[], frequency: number[]) =>
  readings.insert([
    { signalNo: cold.noOf('power'), t0Ms, dtMs: 1000, values: power },
    { signalNo: cold.noOf('frequency'), t0Ms, dtMs: 1000, values: frequency },
  ])
const fill = (count: number, value: number) => Array.from({ length: count }, () => value)

test('a process with an earlier clock takes over and dies before it examines its samples: no alert, activation or roll-up misses one', async () => {
  const { customerId, instanceId } = cold
  const startMs = Math.floor((Date.now() - 20 * minuteMs) / minuteMs) * minuteMs
  await addRows(app.records, 'alert', {
    customer_id: customerId,
    alert_id: newId(),
    instance_id: instanceId,
    name: 'Above 400',
    type: 'power',
    criteria: 'gt',
    threshold: 400,
    email: 'ops@north.example',
    notification: true,
    interval_minutes: 0,
    valid_from: new Date(startMs - minuteMs),
    created_at: new Date(startMs - minuteMs),
  })
  const ahead = await openWriter(aheadMs)
  const behind = await openWriter(behindMs)
  const first = await openProcess(ahead, aheadMs)
  // Crosses the threshold, and an activation begins.
  await insert(ahead, startMs, [...fill(60, 300), ...fill(60, 420)], [...fill(60, 50), ...fill(60, 49.7)])
  await first.settled()
  await first.close()
  const client = clientOf(app.config, partition)
  const version = ahead.storedVersion()
  for (const table of ['alert_progress', 'event_progress'] as const)
    await changeRows(app.records, table, { client }, { version })

  // The samples of the second process have earlier versions than the progress of the first.
  await insert(
    behind,
    startMs + 2 * minuteMs,
    [...fill(30, 420), ...fill(30, 300), ...fill(60, 450)],
    [...fill(30, 49.7), ...fill(90, 50)],
  )
  expect(behind.storedVersion()).toBeLessThan(version)

  const third = await openProcess(await openWriter(0), 0)
  await third.settled()
  const triggers = await storedRows(app.records, 'alert_trigger', {}, undefined, ['triggered_at'])
  expect(triggers.map(({ triggered_at }) => (triggered_at.getTime() - startMs) / 1000)).toEqual([60, 180])
  const events = await storedRows(app.records, 'event', { instance_id: instanceId })
  expect(
    events.map(({ started_at, ended_at }) => [started_at, ended_at].map((at) => at && at.getTime() - startMs)),
  ).toEqual([[60_000, 150_000]])
  await third.close()

  // A roll-up up to a version of the first process leaves those of the second for the next one.
  const [soon, later] = [await openWriter(aheadMs), await openWriter(10 * minuteMs)]
  await soon.rollUp()
  await insert(behind, startMs + 4 * minuteMs, fill(60, 300), fill(60, 50))
  await later.rollUp()
  const [rolled] = await rows<[number]>(later.client, 'select sum(count) from gridmast.minutes final')
  const [raw] = await rows<[number]>(later.client, 'select count() from gridmast.samples final')
  expect(Number(raw?.[0])).toBe(2 * 300)
  expect(Number(rolled?.[0])).toBe(2 * 300)
})

test('after a handover the newest message of a time wins, although the clock of its process is earlier', async () => {
  const ahead = await openWriter(aheadMs)
  const behind = await openWriter(behindMs)
  const t0Ms = Math.floor(Date.now() / 1000) * 1000
  await ahead.insert([{ signalNo: 4711, t0Ms, dtMs: 1000, values: [1] }])
  await behind.followOthers()
  await behind.insert([{ signalNo: 4711, t0Ms, dtMs: 1000, values: [2] }])
  expect((await ahead.latest([4711])).get(4711)).toEqual({ tMs: t0Ms, value: 2 })
})
