import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { slots } from '@gridmast/contract/slots.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { backfillMonth } from './backfill.ts'
import { runFeed } from './feed.ts'
import { watchBackfill } from './watch-backfill.ts'
import { monthsBetween, monthsOfHistory, nextMonth, planMonths, waitingMonths } from './plan.ts'

const nowMs = Date.parse('2026-11-20T17:12:08.000Z')

let upstream: Server
let answer: RequestListener
let asked: URL[] = []
let app: TestApp

beforeAll(async () => {
  upstream = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://x'))
    answer(request, response)
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', () => resolve()))
  const { port } = upstream.address() as AddressInfo // a TCP server's address is never a pipe's name
  app = await openTestApp({ EDS_URL: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await app.close()
  upstream.close()
})
beforeEach(async () => {
  asked = []
  app.setNow(new Date(nowMs).toISOString())
  await app.records.system(async (tx) => {
    for (const table of ['connector_state', 'connector_run', 'market_price', 'backfill_month'] as const)
      await tx.deleteFrom(table).execute()
  })
})

const october = Array.from({ length: 31 }, (_, day) => slots('hour', addDays('2026-10-01', day))).flat()
const fcrDk1: RequestListener = (_, response) => {
  const records = october.map(
    ({ fromMs }) =>
      `{"HourUTC":"${new Date(fromMs).toISOString().slice(0, 19)}","FCRdk_EUR":5.5,"FCRdk_DKK":41.03,"FCRdomestic_MW":5}`,
  )
  response.writeHead(200).end(`{"total":${records.length},"records":[${records.join(',')}]}`)
}
const plan = (again = false) => app.records.system((tx) => planMonths(tx, 'FcrDK1', ['2026-10', '2026-09'], { again }))
const next = () => app.records.system((tx) => nextMonth(tx, 'FcrDK1'))
const later = (seconds: number) => app.setNow(new Date(nowMs + seconds * 1000).toISOString())
const months = () =>
  app.records.system((tx) =>
    tx
      .selectFrom('backfill_month')
      .select(['month', 'row_count', 'last_error', 'finished_at'])
      .orderBy('month')
      .execute(),
  )

test('one request is one local month in UTC, newest first, and a finished month is not asked again', async () => {
  answer = fcrDk1
  await plan()
  expect(await next()).toBe('2026-10')
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toEqual({ rows: 745, changed: 745 }) // the 25-hour day is in it
  expect(asked[0]?.searchParams.get('start')).toBe('2026-09-30T22:00')
  expect(asked[0]?.searchParams.get('end')).toBe('2026-10-31T23:00')
  await plan()
  expect(await next()).toBe('2026-09')
  await plan(true)
  expect(await next()).toBe('2026-10')
})

test('a backfill and the feed share one limit', async () => {
  answer = fcrDk1
  await plan()
  expect(await runFeed(app, 'FcrDK1')).not.toBeNull()
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toBeNull()
  later(62)
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).not.toBeNull()
  expect(asked).toHaveLength(2)
})

test('old months say nothing about how fresh the set is', async () => {
  answer = fcrDk1
  await plan()
  await backfillMonth(app, 'FcrDK1', '2026-10')
  const [state] = await app.records.system((tx) => tx.selectFrom('connector_state').selectAll().execute())
  expect(state).toMatchObject({ last_success_at: null, covered_until: null, last_error: null })
})

test('L4 a month that failed stays on the list with the reason; the next try clears it', async () => {
  await plan()
  answer = (_, response) => response.writeHead(200).end('<html>')
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toEqual({ error: 'html: <html>' })
  expect(await months()).toMatchObject([{ month: '2026-09' }, { last_error: 'html: <html>', finished_at: null }])
  expect(await next()).toBe('2026-09') // one bad month holds up no other
  later(62)
  answer = fcrDk1
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toMatchObject({ rows: 745 })
  expect(await months()).toMatchObject([{ row_count: null }, { row_count: 745, last_error: null }])
})

test('after an outage of months the feed puts the older ones on the list', async () => {
  answer = fcrDk1
  await runFeed(app, 'FcrDK1')
  await app.records.system((tx) =>
    tx
      .updateTable('connector_state')
      .set({ covered_until: new Date('2026-08-15T22:00:00Z') })
      .execute(),
  )
  later(7 * 3600)
  await runFeed(app, 'FcrDK1')
  expect((await months()).map((row) => row.month)).toEqual(['2026-08', '2026-09', '2026-10'])
})

test('the month that runs is asked up to tomorrow', async () => {
  answer = fcrDk1
  await app.records.system((tx) => planMonths(tx, 'FcrDK1', ['2026-11']))
  await backfillMonth(app, 'FcrDK1', '2026-11')
  expect(asked[0]?.searchParams.get('end')).toBe('2026-11-21T23:00')
})

test('whoever watches a running server hears of each month, of a failure once, and of what was there', async () => {
  const request = { dataset: 'FcrDK1', from: '2026-09-01', to: '2026-10-31', again: false } as const
  const steps = watchBackfill(app, request, { everyMs: 5 })
  answer = fcrDk1
  expect((await steps.next()).value).toEqual({ there: 0, months: 2, minIntervalMs: 61_000 })
  let step = steps.next()
  await backfillMonth(app, 'FcrDK1', '2026-10')
  expect((await step).value).toEqual({ month: '2026-10', rows: 745, left: 1 })
  step = steps.next()
  later(62)
  answer = (_, response) => response.writeHead(200).end('<html>')
  await backfillMonth(app, 'FcrDK1', '2026-09')
  expect((await step).value).toEqual({ month: '2026-09', error: 'html: <html>' })
  step = steps.next()
  later(62 + 3600)
  answer = fcrDk1
  await backfillMonth(app, 'FcrDK1', '2026-09')
  expect((await step).value).toMatchObject({ month: '2026-09', left: 0 })
  expect((await steps.next()).done).toBe(true)
  const again = watchBackfill(app, request, { everyMs: 5 })
  expect((await again.next()).value).toMatchObject({ there: 2, months: 2 })
  expect((await again.next()).done).toBe(true)
})

test('the server works off the newest months of all sets first, those that failed last', async () => {
  await app.records.system(async (tx) => {
    await planMonths(tx, 'FcrDK1', ['2026-10', '2026-09'])
    await planMonths(tx, 'FfrDK2', ['2026-11', '2026-10'])
    await planMonths(tx, 'CO2Emis', ['2026-11'])
    const of = (dataset: string, month: string) =>
      tx.updateTable('backfill_month').where('dataset', '=', dataset).where('month', '=', month)
    await of('FfrDK2', '2026-11')
      .set({ finished_at: new Date(nowMs) })
      .execute()
    await of('CO2Emis', '2026-11').set({ last_error: 'timeout: no whole answer' }).execute()
  })
  expect(await app.records.system(waitingMonths)).toEqual([
    { dataset: 'FcrDK1', month: '2026-10' },
    { dataset: 'FfrDK2', month: '2026-10' },
    { dataset: 'CO2Emis', month: '2026-11' },
  ])
  await app.records.system((tx) => planMonths(tx, 'FfrDK2', ['2025-01'], { askedAtMs: nowMs }))
  expect((await app.records.system(waitingMonths))[0]).toEqual({ dataset: 'FfrDK2', month: '2025-01' }) // somebody waits for it
})

test('months lie within what exists', () => {
  expect(monthsBetween('FcrDK1', '2026-08-15', '2026-10-02', nowMs)).toEqual(['2026-10', '2026-09', '2026-08'])
  expect(monthsBetween('FcrDK1', '2020-01-01', '2021-02-28', nowMs)).toEqual(['2021-02', '2021-01'])
  expect(monthsBetween('Elspotprices', '2025-08-31', '2026-11-20', nowMs)).toEqual(['2025-09', '2025-08'])
  expect(monthsBetween('FcrDK1', '2026-11-01', '2028-01-01', nowMs)).toEqual(['2026-11'])
  expect(monthsBetween('FcrDK1', '2026-12-01', '2026-11-01', nowMs)).toEqual([])
  expect(monthsOfHistory('FcrDK1', 400, nowMs)).toHaveLength(14)
})
