// Meters: a day and a year by month over the API against the bare statement; a year of quarters of all meters as a csv over HTTP against the
// bare writer of the same cells (92 days; WHOLE=1 for the year); the requests of a nightly sync of 1,000 meters. STORES=1 adds three forms of
// storage of the readings (docs/adr/0008-readings-of-meters.md).
import { setTimeout } from 'node:timers/promises'
import { downloadMeters, meterGraph } from '@gridmast/contract/meters/data-hub.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { addDays, dayBounds, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { putMeter, putReadings, putSpot } from '../server/src/meters/data-hub/data-hub.fixture.ts'
import { runMeters } from '../server/src/meters/data-hub/sync.ts'
import { tableStream, type Cell } from '../server/src/platform/files/table-file.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'
import { refreshToken, serveEloverblik } from '../server/src/testing/eloverblik.ts'

const meters = Number(process.env['METERS'] ?? 100)
const first = '2025-11-01'
const days = Array.from({ length: 365 }, (_, i) => addDays(first, i))
const last = days.at(-1) ?? first
const middle = days[180] ?? first
const fileDays = process.env['WHOLE'] ? days : days.slice(-92)
/** Limited, because one row per quarter takes long to write. */
const compared = Math.min(5, meters)
const rounds = 21

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
const medianOf = async (work: () => Promise<unknown>, times = rounds) => {
  await work()
  const ms: number[] = []
  for (let round = 0; round < times; round++) ms.push(await timed(work))
  return median(ms)
}

/** The source limits requests per minute, so their number counts here. */
const asked: string[] = []
const source = await serveEloverblik(({ path }) => void asked.push(path))
const app = await openTestApp({
  PORT: '0',
  ELOVERBLIK_URL: source.url,
  ELOVERBLIK_TOKEN: refreshToken,
  ELOVERBLIK_MIN_INTERVAL_MS: '0',
})
app.setNow('2026-11-20T12:00:00Z')
const token = await app.tokenOf('sudoer@north.example')

const readingsOf = (no: number) =>
  days.map((day) => {
    const wh = slots('quarter', day).map(({ index }) => 10_000 + ((index * 7919 + no * 104_729) % 5000))
    return { day, stepMs: quarterMs, wh, quality: 'm'.repeat(wh.length) }
  })

await putSpot(app, first, days.length, (index) => `${300 + index}.125`)
const made: { customer_id: string; meter_id: string }[] = []
const writtenMs: number[] = []
for (let no = 0; no < meters; no++) {
  const meter = await putMeter(app, { point: `5713130000${String(no).padStart(8, '0')}`, name: `Meter ${no}` })
  const year = readingsOf(no)
  writtenMs.push(await timed(() => putReadings(app, meter, year)))
  made.push(meter)
}

/** The same quarters as one row each in the records, and as samples in the readings store. */
const stores = async (of: TestApp) => {
  const few = made.slice(0, compared).map(({ meter_id }) => meter_id)
  await of.records.script(
    'create table bench_row (meter_id uuid, starts_at timestamptz, wh integer, quality char, version integer, fetched_at timestamptz, primary key (meter_id, starts_at)); grant select on bench_row to gridmast_system',
  )
  const rowsMs = await timed(() =>
    of.records.script(`
      insert into bench_row select meter_id, (day::timestamp at time zone 'Europe/Berlin') + (n - 1) * interval '15 minutes', value, 'm', 1, now()
      from meter_day, unnest(wh) with ordinality u(value, n) where meter_id in (${few.map((id) => `'${id}'`).join(',')})`),
  )
  const samplesMs = await timed(async () => {
    for (let no = 0; no < compared; no++)
      await of.readings.insert(
        readingsOf(no).map(({ day, wh }) => ({
          signalNo: 9000 + no,
          t0Ms: dayBounds(day).fromMs,
          dtMs: quarterMs,
          values: wh,
        })),
      )
  })
  const bytesOf = async (table: string) =>
    (
      await of.records.system((tx) =>
        sql<{ bytes: number }>`select pg_total_relation_size(${table})::int8 as bytes`.execute(tx),
      )
    ).rows[0]?.bytes ?? 0
  const [id = ''] = few
  const { fromMs, toMs } = dayBounds(middle)
  const rowDay = await medianOf(() =>
    of.records.system((tx) =>
      sql`select starts_at, wh, quality from bench_row where meter_id = ${id} and starts_at >= ${new Date(fromMs)} and starts_at < ${new Date(toMs)} order by 1`.execute(
        tx,
      ),
    ),
  )
  const dayDay = await medianOf(() =>
    of.records.system((tx) =>
      sql`select day, wh, quality from meter_day where meter_id = ${id} and customer_id = ${made[0]?.customer_id} and day = ${middle}::date`.execute(
        tx,
      ),
    ),
  )
  const rowYear = await medianOf(
    () =>
      of.records.system((tx) =>
        sql`select starts_at, wh, quality from bench_row where meter_id = ${id} order by starts_at`.execute(tx),
      ),
    5,
  )
  const dayYear = await medianOf(
    () =>
      of.records.system((tx) =>
        sql`select day, wh, quality from meter_day where customer_id = ${made[0]?.customer_id} and meter_id = ${id} order by day`.execute(
          tx,
        ),
      ),
    5,
  )
  return {
    rowsWriteMs: rowsMs / compared,
    dayRowsWriteMs: median(writtenMs),
    samplesWriteMs: samplesMs / compared,
    rowBytesPerReading: (await bytesOf('bench_row')) / (compared * 35_040),
    dayBytesPerReading: (await bytesOf('meter_day')) / (meters * 35_040),
    rowDayMs: rowDay,
    dayDayMs: dayDay,
    rowYearMs: rowYear,
    dayYearMs: dayYear,
  }
}
// As autovacuum does over time; without statistics the peer would scan whole tables.
await app.records.script('analyze')
const stored = process.env['STORES'] ? await stores(app) : {}

const [meter] = made
const meterId = meter?.meter_id ?? ''
const graph = (view: 'day' | 'year', date: string) => () =>
  app.ask(meterGraph, { token, params: { meterId }, query: { view, date } })
/** The plain query: the readings of the day with its prices. */
const bareDay = () =>
  app.records.system((tx) =>
    sql`
      select p.starts_at, u.wh, p.price_dkk::text from meter_day d, unnest(d.wh) with ordinality u(wh, n)
      join market_price p on p.market = 'day-ahead' and p.area = 'DK2' and p.product = '' and p.auction = ''
        and p.starts_at = (${middle}::timestamp at time zone 'Europe/Berlin') + (u.n - 1) * interval '15 minutes'
      where d.customer_id = ${meter?.customer_id} and d.meter_id = ${meterId} and d.day = ${middle}::date order by 1`.execute(
      tx,
    ),
  )
/** Days of 2026 by month, as decimals. */
const bareYear = () =>
  app.records.system((tx) =>
    sql`
      select date_trunc('month', d.day), sum(u.wh), sum(u.wh * (p.price_dkk + 119)) / 1000000
      from meter_day d cross join lateral unnest(d.wh) with ordinality u(wh, n)
      join market_price p on p.market = 'day-ahead' and p.area = 'DK2' and p.product = '' and p.auction = ''
        and p.starts_at = (d.day::timestamp at time zone 'Europe/Berlin') + (u.n - 1) * interval '15 minutes'
      where d.customer_id = ${meter?.customer_id} and d.meter_id = ${meterId} and d.day >= '2026-01-01' and d.day < '2027-01-01'
        and p.starts_at >= '2025-12-31T23:00Z' and p.starts_at < '2026-12-31T23:00Z'
      group by 1 order by 1`.execute(tx),
  )
/** Alternating and often enough to be warm. */
const inTurns = async (one: () => Promise<unknown>, other: () => Promise<unknown>, times: number) => {
  const ms: [number[], number[]] = [[], []]
  for (let round = -5 * times; round < times; round++) {
    const both = [await timed(one), await timed(other)] as const
    if (round >= 0) ms.forEach((all, i) => all.push(both[i] ?? Number.NaN))
  }
  return [median(ms[0]), median(ms[1])] as const
}
const [dayMs, bareDayMs] = await inTurns(graph('day', middle), bareDay, 200)
const yearMs = await medianOf(graph('year', middle), 7)
const bareYearMs = await medianOf(bareYear, 7)

const port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port)
const sink = async (stream: AsyncIterable<Uint8Array | string>) => {
  let bytes = 0
  for await (const part of stream) bytes += part.length
  return bytes
}
let [highestMb, watching] = [0, true]
const watch = async () => {
  while (watching) {
    highestMb = Math.max(highestMb, process.memoryUsage().rss / 1e6)
    await setTimeout(50)
  }
}
const cells = function* (): Generator<Cell[]> {
  const cell: Cell[] = [
    '99000007',
    'Meter 1',
    '571313000000000013',
    new Date(0),
    new Date(0),
    12.345,
    'measured',
    1.234567,
    0,
    0.119,
    1.353567,
    1,
  ]
  for (const day of fileDays)
    for (let no = 0; no < meters; no++)
      for (const { fromMs, toMs } of slots('quarter', day)) {
        cell[3] = new Date(fromMs)
        cell[4] = new Date(toMs)
        yield cell
      }
}
const columns = Array.from({ length: 12 }, (_, i) => ({
  header: `Column ${i}`,
  ...(i === 3 || i === 4 ? { holds: 'instants' as const } : {}),
}))
const bareFileMs = await timed(() => sink(tableStream({ fileName: 'x', sheet: 'x', columns, rows: cells() }, 'csv')))
const beforeMb = process.memoryUsage().rss / 1e6
const watched = watch()
let fileBytes = 0
const fileMs = await timed(async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api${downloadMeters.path}?format=csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ devices: made.map(({ meter_id }) => meter_id), startDate: fileDays[0], endDate: last }),
  })
  if (!answer.ok || !answer.body) throw new Error(await answer.text())
  fileBytes = await sink(answer.body)
})
watching = false
await watched

/** A nightly sync of all enabled meters in bundles of 10, without history and with known details. */
const nightly = async () => {
  const count = 1000
  for (let no = meters; no < count; no++)
    await putMeter(app, { point: `5713130000${String(no).padStart(8, '0')}`, name: `Meter ${no}` })
  await app.records.system((tx) => sql`update meter set synced_for = null, details_at = now()`.execute(tx))
  asked.length = 0
  const ms = await timed(() => runMeters(app, performance.now() + 120_000))
  const first = asked.splice(0)
  await runMeters(app, performance.now() + 10_000)
  const series = (paths: string[]) => paths.filter((path) => path.includes('gettimeseries')).length
  return {
    syncRequests: series(first),
    syncTokens: first.filter((path) => path === 'token').length,
    syncOthers: first.length - series(first),
    syncAgain: asked.length,
    syncMs: ms,
  }
}
const night = process.env['SYNC'] === '0' ? {} : await nightly()
await source.close()
await app.close()

console.log(
  JSON.stringify({
    meters,
    ...stored,
    dayMs,
    bareDayMs,
    dayRatio: dayMs / bareDayMs,
    yearMs,
    bareYearMs,
    yearRatio: yearMs / bareYearMs,
    fileMs,
    bareFileMs,
    fileRatio: bareFileMs / fileMs,
    fileMb: fileBytes / 1e6,
    fileGrowthMb: highestMb - beforeMb,
    ...night,
  }),
)
process.exit(0)
