import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { dayOf, openDataHub, point, putMeter, putReadings } from './data-hub.fixture.ts'

const { app, sudoer } = await openDataHub()
const folder = mkdtempSync(join(tmpdir(), 'gridmast-download-'))
await app.http.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.http.server.address() as AddressInfo // a TCP server's address is never a pipe's name
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const [meterCount, dayCount, firstDay] = [66, 400, '2025-10-19']
const url = '/api/client/data-hub/download?format=csv'

/** 66 meters with 400 days of quarters: 500 MB of csv. */
const putMeters = async () => {
  const meters: Awaited<ReturnType<typeof putMeter>>[] = []
  for (let i = 0; i < meterCount; i++)
    meters.push(await putMeter(app, { point: point(), name: `Cold store ${i + 1}`, cvr: '99000007' }))
  const [first] = meters
  if (!first) throw new Error('no meter')
  await putReadings(
    app,
    first,
    Array.from({ length: dayCount }, (_, i) => dayOf(addDays(firstDay, i), (index) => 1000 + index)),
  )
  await app.records.system((tx) =>
    sql`
      insert into meter_day (customer_id, meter_id, day, version, step_s, wh, quality, fetched_at)
      select d.customer_id, m.meter_id, d.day, d.version, d.step_s, d.wh, d.quality, d.fetched_at
      from meter_day d join meter m on m.customer_id = d.customer_id and m.meter_id <> d.meter_id
        and m.meter_id = any(${meters.map(({ meter_id }) => meter_id)})
      where d.meter_id = ${first.meter_id}`.execute(tx),
  )
  return meters.map(({ meter_id }) => meter_id)
}

const meterIds = await putMeters()

const follow = async (): Promise<IncomingMessage> => {
  const { cookies } = await app.http.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${sudoer}`, [ticketHeader]: '1' },
    payload: { devices: meterIds, startDate: firstDay, endDate: addDays(firstDay, dayCount - 1) },
  })
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: url, headers: { cookie } }, resolve).on('error', reject)
  })
}

test(
  'L1 500 MB are streamed to disk by a link, and the server keeps a few pages of them',
  { timeout: 900_000 },
  async () => {
    const file = join(folder, 'meters.csv')
    const answer = await follow()
    expect(answer.statusCode).toBe(200)
    const beforeBytes = process.memoryUsage.rss()
    let highestBytes = beforeBytes
    const watch = setInterval(() => (highestBytes = Math.max(highestBytes, process.memoryUsage.rss())), 50)

    await pipeline(answer, createWriteStream(file))
    clearInterval(watch)
    expect(statSync(file).size).toBeGreaterThan(500e6)
    expect((highestBytes - beforeBytes) / 1e6).toBeLessThan(250)
  },
)

test('L1 a cancelled download reads no further page of the store', async () => {
  const pages = vi.spyOn(app.records, 'tenant')
  const answer = await follow()
  await new Promise((resolve) => answer.once('data', resolve))
  answer.destroy()
  await expect
    .poll(async () => {
      const before = pages.mock.calls.length
      await new Promise((resolve) => setTimeout(resolve, 300))
      return pages.mock.calls.length - before
    })
    .toBe(0)
  expect(pages.mock.calls.length).toBeLessThan(meterCount)
  const read = await follow()
  expect(read.statusCode).toBe(200)
  read.destroy()
})
