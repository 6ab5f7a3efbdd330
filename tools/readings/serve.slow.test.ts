import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { afterAll, expect, test } from 'vitest'
import { openReadings, type Readings } from '../../server/src/readings/readings.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const minute = 60_000

let server: ChildProcess
let address: string
let url: string
const stores: Readings[] = []

const startServer = async () => {
  const program = join(import.meta.dirname, '../readings-server.ts')
  server = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      READINGS_PORT: '0',
      READINGS_PASSWORD: 'quiet/harbour',
      UV_THREADPOOL_SIZE: '10',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  address = `http://127.0.0.1:${port}`
  url = `http://default:${encodeURIComponent('quiet/harbour')}@127.0.0.1:${port}`
}
const stopServer = async () => {
  server.kill('SIGTERM')
  await once(server, 'exit')
}
const open = async (now = () => noon) => {
  const readings = await openReadings({ url, now, rollupRoundMs: 0 })
  stores.push(readings)
  return readings
}

const folder = await mkdtemp(join(tmpdir(), 'gridmast-serve-'))
await startServer()
afterAll(async () => {
  for (const readings of stores) await readings.close()
  await stopServer()
  await rm(folder, { recursive: true, force: true })
})

test('two processes share a store: rows of one are read by the other at once, and the newest call has priority', async () => {
  const [ingest, web] = [await open(), await open()]
  const run = (t0Ms: number, values: number[]) => [{ signalNo: 1, t0Ms, dtMs: 1000, values }]
  const window = () => web.window({ signalNo: 1, fromMs: noon - minute, toMs: noon + minute, maxPoints: 1000 })
  expect((await web.latest([1])).size).toBe(0)
  await ingest.insert(run(noon, [1, 2, 3]))
  expect((await web.latest([1])).get(1)).toEqual({ tMs: noon + 2000, value: 3 })
  expect((await window()).y).toEqual([1, 2, 3])
  await web.insert(run(noon + 1000, [20]))
  await ingest.insert(run(noon + 3000, [4]))
  await web.insert(run(noon + 3000, [40]))
  expect((await ingest.latest([1])).get(1)).toEqual({ tMs: noon + 3000, value: 40 })
  expect((await window()).y).toEqual([1, 20, 3, 40])
})

test('a process that only rolls up maintains the roll-ups of all', async () => {
  const [ingest, jobs, web] = [await open(Date.now), await open(() => Date.now() + 10 * minute), await open(Date.now)]
  const day = { signalNo: 2, fromMs: noon, toMs: noon + 24 * 60 * minute, maxPoints: 100 }
  await ingest.insert([{ signalNo: 2, t0Ms: noon, dtMs: minute, values: Array.from({ length: 1440 }, (_, i) => i) }])
  await jobs.rollUp()
  const client = createClient({ url })
  const rolled = await client.query({
    query: 'select count() as c from gridmast.minutes where signal_no = 2',
    format: 'JSONEachRow',
  })
  expect(await rolled.json()).toEqual([{ c: 1440 }])
  await client.close()
  expect(Math.max(...(await web.window(day)).y.map(Number))).toBe(1439)
})

test('a query without the password is refused', async () => {
  const tries: Record<string, string>[] = [{}, { authorization: `Basic ${btoa('default:wrong')}` }]
  for (const headers of tries) {
    const answer = await fetch(`${address}/?query=select+1`, { headers })
    expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([403, '516'])
  }
  expect(await (await fetch(`${address}/ping`)).text()).toBe('Ok.\n')
})

test('a request for another host or a statement that reads outside is refused', async () => {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  request(`${address}/ping`, { headers: { host: 'rebound.example' } }, ({ statusCode }) => resolve(statusCode)).end()
  expect(await promise).toBe(403)
  const client = createClient({ url })
  for (const query of [
    "select file('/etc/hostname')",
    'select * from "/etc/hostname"',
    "select * apply file from (select '/etc/hostname')",
    'system shutdown',
  ])
    await expect(client.query({ query })).rejects.toMatchObject({ code: '497' })
  await expect(
    client.query({ query: 'select 1', clickhouse_settings: { format_schema: '/etc/hostname' } }),
  ).rejects.toMatchObject({ code: '497' })
  expect((await fetch(`${address}/ping`)).status).toBe(200)
  await client.close()
})

test('errors, formats, settings, compression and a body work with @clickhouse/client', async () => {
  const client = createClient({ url, compression: { request: true, response: true } })
  await expect(client.query({ query: 'select * from gridmast.nothing' })).rejects.toMatchObject({ code: '60' })
  await expect(client.query({ query: 'select 1 = = 2' })).rejects.toMatchObject({ type: 'SYNTAX_ERROR' })
  await open()
  const rows = Array.from({ length: 50_000 }, (_, version) => ({ version, name: `ø'\\\n;${version}` }))
  await client.insert({ table: 'gridmast.rollup_progress', values: rows, format: 'JSONEachRow' })
  const ask = async (query: string, settings = {}) =>
    (await client.query({ query, format: 'JSONEachRow', clickhouse_settings: settings })).json()
  const read = await ask(
    "select toUInt32(version) as version, name from gridmast.rollup_progress where name like 'ø%' order by version",
  )
  expect(JSON.stringify(read) === JSON.stringify(rows)).toBe(true) // the output of a difference of 50,000 rows takes minutes
  // Eight sessions serve all requests: settings of an earlier request must not remain.
  const quoted = { output_format_json_quote_64bit_integers: 1 } as const
  const both = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask('select toInt64(49999) as a', i % 2 ? quoted : {})),
  )
  expect(both).toEqual(both.map((_, i) => [{ a: i % 2 ? '49999' : 49_999 }]))
  await client.close()
})

test('a query that fails midway breaks off, so a partial answer is never complete', async () => {
  const client = createClient({ url })
  const answer = await client.query({
    query: 'select intDiv(1, 900000 - number) as a from numbers(1000000)',
    format: 'JSONEachRow',
  })
  await expect(answer.text()).rejects.toThrow()
  await client.close()
})

test('stored rows survive a kill -9 of the server', async () => {
  const before = await open()
  await before.insert([{ signalNo: 3, t0Ms: noon, dtMs: 1000, values: [7] }])
  server.kill('SIGKILL')
  await once(server, 'exit')
  await expect(before.ping()).rejects.toThrow()
  await startServer()
  expect((await (await open()).latest([3])).get(3)).toEqual({ tMs: noon, value: 7 })
})
