import type { RequestListener } from 'node:http'
import { hourMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Tx } from '#platform/records/records.ts'
import { openTestApp } from '#testing/app.ts'
import { serveUpstream } from '#testing/upstream.ts'
import { putPrices } from '#testing/prices.ts'
import { changeRows, storedRows } from '#testing/rows.ts'
import { backfillMonth, toTheEnd, watchBackfill, type BackfillProgress } from './backfill.ts'
import { runFeed } from './feed.ts'
import { planDemoHistory } from './jobs.ts'
import { monthsBetween, monthsOfHistory, nextMonth, planMonths, waitingMonths } from './plan.ts'

const nowMs = Date.parse('2026-11-20T17:12:08.000Z')

const upstream = await serveUpstream()
const app = await openTestApp({ EDS_URL: upstream.url })
afterAll(async () => {
  await app.close()
  upstream.close()
})
beforeEach(async () => {
  upstream.asked = []
  app.setNow(new Date(nowMs).toISOString())
  await app.records.system(async (tx) => {
    for (const table of ['connector_state', 'connector_run', 'market_price', 'backfill_month'] as const)
      await tx.deleteFrom(table).execute()
  })
})

const fcrDk1At =
  (eur: string): RequestListener =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    const [from = 0, to = 0] = ['start', 'end'].map((key) => Date.parse(`${searchParams.get(key)}Z`))
    const records = Array.from({ length: (to - from) / hourMs }, (_, i) => {
      const start = new Date(from + i * hourMs).toISOString().slice(0, 19)
      return `{"HourUTC":"${start}","FCRdk_EUR":${eur},"FCRdk_DKK":41.03,"FCRdomestic_MW":5}`
    })
    response.writeHead(200).end(`{"total":${records.length},"records":[${records.join(',')}]}`)
  }
const fcrDk1 = fcrDk1At('5.5')
const plan = (again = false) => app.records.system((tx) => planMonths(tx, 'FcrDK1', ['2026-10', '2026-09'], { again }))
const next = () => app.records.system((tx) => nextMonth(tx, 'FcrDK1', ['2026-10', '2026-09'], app.clock.now()))
const later = (seconds: number) => app.setNow(new Date(nowMs + seconds * 1000).toISOString())
const months = () =>
  app.records.system((tx) =>
    tx
      .selectFrom('backfill_month')
      .select(['month', 'row_count', 'last_error', 'finished_at'])
      .orderBy('month')
      .execute(),
  )

test('a request covers one local month, newest first, and a finished month is not requested again', async () => {
  upstream.answer = fcrDk1
  await plan()
  expect(await next()).toBe('2026-10')
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toEqual({ rows: 745, changed: 745 }) // the 25-hour day is in it
  expect(upstream.asked[0]?.searchParams.get('start')).toBe('2026-09-30T22:00')
  expect(upstream.asked[0]?.searchParams.get('end')).toBe('2026-10-31T23:00')
  await plan()
  expect(await next()).toBe('2026-09')
  await plan(true)
  expect(await next()).toBe('2026-10')
})

test('a month in progress is skipped by other runs and released when its run has died', async () => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  upstream.answer = (request, response) => {
    begun.resolve()
    void go.promise.then(() => fcrDk1(request, response))
  }
  await plan()
  const first = backfillMonth(app, 'FcrDK1', '2026-10')
  await begun.promise
  later(90)
  expect([await next(), await backfillMonth(app, 'FcrDK1', '2026-10')]).toEqual(['2026-09', null])
  later(121)
  expect(await next()).toBe('2026-10')
  go.resolve()
  expect(await first).toMatchObject({ rows: 745 })
  expect([upstream.asked.length, await next()]).toEqual([1, '2026-09'])
})

test('a backfill and the feed share one rate limit', async () => {
  upstream.answer = fcrDk1
  await plan()
  expect(await runFeed(app, 'FcrDK1')).not.toBeNull()
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toBeNull()
  later(62)
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).not.toBeNull()
  expect(upstream.asked).toHaveLength(2)
})

test('old months do not change the freshness of the data set', async () => {
  upstream.answer = fcrDk1
  await plan()
  await backfillMonth(app, 'FcrDK1', '2026-10')
  const [state] = await storedRows(app.records, 'connector_state')
  expect(state).toMatchObject({ last_success_at: null, last_error: null })
})

test('L4 a failed month stays listed with its reason until the next success', async () => {
  await plan()
  upstream.answer = (_, response) => response.writeHead(200).end('<html>')
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toEqual({ error: 'html: <html>' })
  expect(await months()).toMatchObject([{ month: '2026-09' }, { last_error: 'html: <html>', finished_at: null }])
  expect(await next()).toBe('2026-09')
  later(62)
  upstream.answer = fcrDk1
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toMatchObject({ rows: 745 })
  expect(await months()).toMatchObject([{ row_count: null }, { row_count: 745, last_error: null }])
})

const state = () => app.records.system((tx) => tx.selectFrom('connector_state').selectAll().executeTakeFirstOrThrow())
const empty: RequestListener = (_, response) => response.writeHead(200).end('{"total":0,"records":[]}')

test('a month without rows stays listed and is retried', async () => {
  await plan()
  upstream.answer = empty
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toEqual({ error: 'empty: 0 rows, none with a value' })
  expect(await months()).toMatchObject([{}, { month: '2026-10', finished_at: null, row_count: null }])
  later(62)
  upstream.answer = fcrDk1
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toMatchObject({ rows: 745 })
})

test.each(['MfrrCapacityMarketExtra', 'DatahubPricelist'] as const)(
  'a month of %s, which may have no auction or tariff, is finished without rows',
  async (dataset) => {
    upstream.answer = empty
    await app.records.system((tx) => planMonths(tx, dataset, ['2026-10']))
    expect(await backfillMonth(app, dataset, '2026-10')).toEqual({ rows: 0, changed: 0 })
    expect(await months()).toMatchObject([{ finished_at: new Date(nowMs), row_count: 0 }])
  },
)

test('a failed month does not delay the feed or change the state of the source', async () => {
  upstream.answer = (_, response) => response.writeHead(500).end()
  await app.records.system((tx) => planMonths(tx, 'FcrDK1', ['2026-10']))
  for (let i = 0; i < 6; i++) {
    later(i * 62)
    await backfillMonth(app, 'FcrDK1', '2026-10')
  }
  expect(await state()).toMatchObject({ last_error: null, failures: 0, not_before: null })
  expect(await next()).toBeNull()
  later(6 * 62)
  upstream.answer = fcrDk1
  expect(await runFeed(app, 'FcrDK1')).not.toBeNull()
  later(24 * 3600)
  expect(await next()).toBe('2026-10')
})

test('the feed also waits when the source requires a pause', async () => {
  upstream.answer = (_, response) => response.writeHead(429, { 'retry-after': '600' }).end()
  await plan()
  await backfillMonth(app, 'FcrDK1', '2026-10')
  later(62)
  expect(await runFeed(app, 'FcrDK1')).toBeNull()
})

test('an interrupted backfill stores all revisions of a month or none', async () => {
  upstream.answer = fcrDk1
  await plan()
  await backfillMonth(app, 'FcrDK1', '2026-10')
  upstream.answer = fcrDk1At('6.5')
  later(62)
  let cuts = 0
  const cutOff = {
    ...app,
    records: {
      ...app.records,
      system: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
        app.records.system(async (tx) => {
          const result = await work(tx)
          const done = await tx.selectFrom('connector_run').select('run_id').where('changed_count', '>', 0).execute()
          if (done.length > 1 && ++cuts > 0) throw new Error('killed')
          return result
        }),
    },
  }
  await expect(backfillMonth(cutOff, 'FcrDK1', '2026-10')).rejects.toThrow('killed')
  const prices = async () =>
    (await app.records.system((tx) => tx.selectFrom('market_price').select('price_eur').distinct().execute())).map(
      (row) => row.price_eur,
    )
  expect(cuts).toBe(1)
  expect(await prices()).toEqual(['5.500000'])
  later(124)
  expect(await backfillMonth(app, 'FcrDK1', '2026-10')).toEqual({ rows: 745, changed: 745 })
  expect(await prices()).toEqual(['6.500000'])
})

test('after an outage of months the feed lists the older months for backfill', async () => {
  upstream.answer = fcrDk1
  await runFeed(app, 'FcrDK1')
  await app.records.system((tx) =>
    tx.deleteFrom('market_price').where('starts_at', '>=', new Date('2026-08-15T22:00:00Z')).execute(),
  )
  await putPrices(
    app.records,
    [{ market: 'FCR', area: 'DK1', priceEur: '1', at: '2026-08-15T21:00:00Z' }],
    '2026-08-16T00:00:00Z',
  )
  later(7 * 3600)
  await runFeed(app, 'FcrDK1')
  expect((await months()).map((row) => row.month)).toEqual(['2026-08', '2026-09', '2026-10'])
})

test('the current month is requested up to tomorrow', async () => {
  upstream.answer = fcrDk1
  await app.records.system((tx) => planMonths(tx, 'FcrDK1', ['2026-11']))
  await backfillMonth(app, 'FcrDK1', '2026-11')
  expect(upstream.asked[0]?.searchParams.get('end')).toBe('2026-11-21T23:00')
})

test('progress on a running server reports each month, a failure once, and existing data', async () => {
  const request = { dataset: 'FcrDK1', from: '2026-09-01', to: '2026-10-31', again: false } as const
  const steps = watchBackfill(app, request, { everyMs: 5 })
  upstream.answer = fcrDk1
  expect((await steps.next()).value).toEqual({ there: 0, months: 2, minIntervalMs: 61_000 })
  let step = steps.next()
  await backfillMonth(app, 'FcrDK1', '2026-10')
  expect((await step).value).toEqual({ month: '2026-10', rows: 745, left: 1 })
  step = steps.next()
  later(62)
  upstream.answer = (_, response) => response.writeHead(200).end('<html>')
  await backfillMonth(app, 'FcrDK1', '2026-09')
  expect((await step).value).toEqual({ month: '2026-09', error: 'html: <html>' })
  step = steps.next()
  later(62 + 3600)
  upstream.answer = fcrDk1
  await backfillMonth(app, 'FcrDK1', '2026-09')
  expect((await step).value).toMatchObject({ month: '2026-09', rows: 720, left: 0 })
  expect((await steps.next()).done).toBe(true)
  const again = watchBackfill(app, request, { everyMs: 5 })
  expect((await again.next()).value).toMatchObject({ there: 2, months: 2 })
  expect((await again.next()).done).toBe(true)
})

test('progress that ends before the last month is a failure', async () => {
  const reported = async (...steps: BackfillProgress[]) => {
    const given = async function* () {
      for (const step of steps) yield step
    }
    const seen: BackfillProgress[] = []
    for await (const step of toTheEnd(given())) seen.push(step)
    return seen.length
  }
  const start = { there: 1, months: 3, minIntervalMs: 1 }
  const month = (left: number) => ({ month: '2026-10', rows: 1, left })
  expect(await reported(start, month(1), month(0))).toBe(3)
  expect(await reported({ ...start, there: 3 })).toBe(1)
  await expect(reported(start, month(1))).rejects.toThrow('1 months left')
  await expect(reported(start, { month: '2026-10', error: 'empty: 0 rows' })).rejects.toThrow('2 months left')
  await expect(reported()).rejects.toThrow('all months left')
})

test('the server processes the newest months of all data sets first and failed months last', async () => {
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
  expect(await app.records.system((tx) => waitingMonths(tx, nowMs))).toEqual([
    { dataset: 'FcrDK1', month: '2026-10' },
    { dataset: 'FfrDK2', month: '2026-10' },
    { dataset: 'CO2Emis', month: '2026-11' },
  ])
  await app.records.system((tx) => planMonths(tx, 'FfrDK2', ['2025-01'], { requestedAtMs: nowMs }))
  expect((await app.records.system((tx) => waitingMonths(tx, nowMs)))[0]).toEqual({
    dataset: 'FfrDK2',
    month: '2025-01',
  })
})

test.each([
  ['2026-11-20T17:12:08Z', ['2026-11', '2026-10', '2026-09', '2026-08'], 1],
  ['2026-03-12T12:00:00Z', ['2026-03', '2026-02', '2026-01', '2025-12'], 2],
])(
  'on %s a demo first imports the prices of its bids of this week and of two settled months',
  async (now, wanted, ofWeek) => {
    app.setNow(now)
    await planDemoHistory(app)
    const read: string[] = []
    for (let left = 4 * wanted.length; left > 0; left--) {
      const [next] = await app.records.system((tx) => waitingMonths(tx, app.clock.now()))
      read.push(`${next?.dataset} ${next?.month}`)
      await changeRows(
        app.records,
        'backfill_month',
        { dataset: next?.dataset ?? '', month: next?.month ?? '' },
        { finished_at: new Date(now) },
      )
    }
    const [small, large] = [['AfrrReservesNordic', 'FcrDK1', 'FfrDK2'], 'FcrNdDK2']
    expect(read).toEqual([
      ...wanted.flatMap((month, i) =>
        [...small, ...(i < ofWeek ? [large] : [])].toSorted().map((dataset) => `${dataset} ${month}`),
      ),
      ...wanted.slice(ofWeek).map((month) => `${large} ${month}`),
    ])
  },
)

test('a backfill is limited to the months with published data', () => {
  expect(monthsBetween('FcrDK1', '2026-08-15', '2026-10-02', nowMs)).toEqual(['2026-10', '2026-09', '2026-08'])
  expect(monthsBetween('FcrDK1', '2020-01-01', '2021-02-28', nowMs)).toEqual(['2021-02', '2021-01'])
  expect(monthsBetween('Elspotprices', '2025-08-31', '2026-11-20', nowMs)).toEqual(['2025-09', '2025-08'])
  expect(monthsBetween('FcrDK1', '2026-11-01', '2028-01-01', nowMs)).toEqual(['2026-11'])
  expect(monthsBetween('FcrDK1', '2026-12-01', '2026-11-01', nowMs)).toEqual([])
  expect(monthsOfHistory('FcrDK1', 400, nowMs)).toHaveLength(14)
})
