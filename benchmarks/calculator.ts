// The revenue calculator over 24 months of one area, and a day's price charts, each against the bare query of its rows in the same kind of
// store.
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { dayBounds, monthBounds } from '../contract/src/time.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'
import { median } from './charts.ts'

/** Measured warm: the first hundred answers take up to three times as long. */
const charts = { rounds: 400, warmUp: 600 }
const years24 = { rounds: 60, warmUp: 10 }
const years = { fromMs: monthBounds('2024-11').fromMs, toMs: monthBounds('2026-10').toMs }
const day = '2026-10-20'

/** 24 months of hourly prices of three markets in two areas and of day-ahead quarters, in EUR only, with a rate per weekday. */
const fill = (app: TestApp) =>
  app.records.system(async (tx) => {
    const [from, to] = [new Date(years.fromMs), new Date(years.toMs)]
    await sql`
      insert into market_price (market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, unit, source, fetched_at)
      select m, a, '', 'Total', t, 3600, round((2 + random() * 10)::numeric, 2), null, 'MW', 'bench', now()
      from unnest(array['FCR-D-INC', 'FCR-D-DEC', 'FCR-N']) m, unnest(array['DK2', 'SE3']) a, generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 hour', '1 hour') t`.execute(
      tx,
    )
    await sql`
      insert into market_price (market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, unit, source, fetched_at)
      select 'day-ahead', a, '', '', t, 900, round((50 + random() * 90)::numeric, 2), round((400 + random() * 600)::numeric, 6), 'MWh', 'bench', now()
      from unnest(array['DK1', 'DK2']) a, generate_series(${from}::timestamptz, ${to}::timestamptz - interval '15 min', '15 min') t`.execute(
      tx,
    )
    await sql`
      insert into exchange_rate (currency, day, dkk_per_unit, source, fetched_at)
      select 'EUR', d::date, 7.46 + random() / 100, 'bench', now() from generate_series(${from}::timestamptz, ${to}::timestamptz, '1 day') d
      where extract(isodow from d) < 6`.execute(tx)
  })

/** Alternating, so that both have the same load from other processes; medians in ms. */
const compare = async (
  { rounds, warmUp }: typeof charts,
  whole: () => Promise<unknown>,
  bare: () => Promise<unknown>,
) => {
  const times = { whole: [] as number[], bare: [] as number[] }
  for (let i = 0; i < rounds + warmUp; i++) {
    const a = performance.now()
    await whole()
    const b = performance.now()
    await bare()
    const c = performance.now()
    if (i < warmUp) continue
    times.whole.push(b - a)
    times.bare.push(c - b)
  }
  const [wholeMs, bareMs] = [median(times.whole), median(times.bare)]
  return { wholeMs, bareMs, ratio: wholeMs / bareMs }
}

export const calculator = async () => {
  const app = await openTestApp()
  app.setNow('2026-10-20T12:00:00Z')
  await fill(app)
  const token = await app.tokenOf('sudoer@north.example')
  const get = (path: string) => async () => {
    const answer = await app.http.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${token}` } })
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`)
  }
  // The peer: the same rows with the store's own library.
  const store = await PGlite.create({ loadDataDir: await app.records.snapshot() })
  const ask = (text: string, values: unknown[]) => () => store.transaction((tx) => tx.query(text, values))
  // The plain query: the total per local day.
  const aggregate = (markets: string[]) =>
    ask(
      `select (starts_at at time zone 'Europe/Berlin')::date as day, sum(price_eur) from market_price
       where market = any($1::text[]) and area = 'DK2' and auction = 'Total' and starts_at >= $2 and starts_at < $3 group by 1 order by 1`,
      [markets, new Date(years.fromMs), new Date(years.toMs)],
    )
  // Every column that the answer uses.
  const rowsOfDay = (market: string, auction: string, more: string) => {
    const { fromMs, toMs } = dayBounds(day)
    return ask(
      `select starts_at, duration_s, price_eur, price_dkk, ${more} from market_price
       where market = $1 and area = 'DK2' and auction = $2 and starts_at >= $3 and starts_at < $4 order by starts_at`,
      [market, auction, new Date(fromMs), new Date(toMs)],
    )
  }
  const range = 'startDate=2024-11&endDate=2026-10&area=DK2'
  const revenue = await compare(
    years24,
    get(`/client/revenue-calculator?signal=FCR-D-INC&${range}`),
    aggregate(['FCR-D-INC']),
  )
  const both = await compare(
    years24,
    get(`/client/revenue-calculator?signal=FCR-D%20(LER)&${range}`),
    aggregate(['FCR-D-INC', 'FCR-D-DEC']),
  )
  const dayAhead = await compare(
    charts,
    get(`/client/data/power-cost?date=${day}&resolution=quarter`),
    rowsOfDay('day-ahead', '', 'fetched_at'),
  )
  const reserve = await compare(
    charts,
    get(`/client/data/pricing/FCR-D-INC:DK2?date=${day}`),
    rowsOfDay('FCR-D-INC', 'Total', 'volume_mw, auction, fetched_at'),
  )
  await store.close()
  await app.close()
  return {
    revenueRatio: revenue.ratio,
    revenueMs: revenue.wholeMs,
    revenueBareMs: revenue.bareMs,
    bothRatio: both.ratio,
    bothMs: both.wholeMs,
    dayAheadRatio: dayAhead.ratio,
    dayAheadMs: dayAhead.wholeMs,
    dayAheadBareMs: dayAhead.bareMs,
    reserveRatio: reserve.ratio,
    reserveMs: reserve.wholeMs,
    reserveBareMs: reserve.bareMs,
  }
}

if (import.meta.main) console.log(JSON.stringify({ benchmark: 'calculator and price charts', ...(await calculator()) }))
