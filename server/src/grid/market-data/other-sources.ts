import { addDays, atLocalTime, dayBounds, dayMs, hourMs, localTime, minuteMs, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { failure } from '#connectors/fetch-text.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import {
  expectedUntil,
  isDue,
  publishing,
  requestWindow,
  type SourceState,
} from '#connectors/energi-data-service/publishing.ts'
import { entsoeSource, fetchDayAhead, type EntsoeArea } from '#connectors/entsoe/fetch.ts'
import { fetchRates, ratesSource, type Rate } from '#connectors/exchange-rates/fetch.ts'
import { fetchFrequency, frequencySource } from '#connectors/statnett-frequency/fetch.ts'
import { entsoeAreas, entsoeDataset, findCoverage } from '#grid/published/coverage.ts'
import type { Tx } from '#platform/records/records.ts'
import { originOf } from './feed.ts'
import { findState, runSource, type SourceApp } from '#grid/published/run-source.ts'
import { savePrices } from './save-prices.ts'
import { saveSamples } from './save-samples.ts'

const minIntervalMs = minuteMs

const standInAreas: readonly EntsoeArea[] = ['DK1', 'DK2', 'SE3', 'SE4']

const schedule = publishing.DayAheadPrices

/**
 * Start of the first source's missing prices of an area, null: none. Prices are missing an hour after they are due, or as soon as they are due where
 * the source has failed for an hour by then.
 */
export const missingFrom = (first: SourceState & { isFailing: boolean }, nowMs: number): number | null => {
  const { isFailing, lastRequestMs, lastSuccessMs, coveredUntilMs } = first
  const expectedMs = expectedUntil(schedule, nowMs)
  if (schedule.kind !== 'ahead' || expectedMs === null || lastRequestMs === null) return null
  if ((coveredUntilMs ?? 0) >= expectedMs) return null
  const day = localTime(nowMs) >= schedule.by ? today(nowMs) : addDays(today(nowMs), -1)
  const isAnHourLate = nowMs - atLocalTime(day, schedule.by) >= hourMs
  if (!isAnHourLate && !(isFailing && nowMs - (lastSuccessMs ?? 0) >= hourMs)) return null
  return coveredUntilMs ?? dayBounds(today(nowMs)).fromMs
}

const runArea = (app: SourceApp, token: string, area: EntsoeArea, fromMs: number | null) =>
  runSource(
    app,
    { source: entsoeSource, dataset: entsoeDataset(area) },
    { minIntervalMs, isDue: (state, nowMs) => isDue(schedule, state, nowMs) },
    async ({ state }, nowMs) => {
      const window = requestWindow(schedule, state, nowMs)
      // Rows of the first source are never replaced, because they contain DKK too.
      const span = fromMs === null ? window : { fromMs: Math.max(fromMs, window.fromMs), toMs: window.toMs }
      const answer = await fetchDayAhead({ baseUrl: app.config.ENTSOE_URL, token, area, ...span })
      if (!answer.ok) return answer
      const { rows, url, httpStatus } = answer
      if (rows.length === 0) return { ...failure('empty', 'no prices of the days asked for', httpStatus), url }
      const fixed = { market: 'day-ahead', product: '', auction: '', priceDkk: null, volumeMw: null, unit: 'MWh' }
      const prices = rows.map((row) => ({ ...row, ...fixed }))
      const origin = { ...originOf(app), source: entsoeSource }
      const save = (tx: Tx, savedMs: number) => savePrices(tx, prices, origin, savedMs)
      return { ok: true, url, httpStatus, rowCount: rows.length, warnings: [], save }
    },
  )

/** Day-ahead prices of the areas that the first source lacks, and of the others while it has none; off without a token. */
export const runEntsoe = async (app: SourceApp): Promise<number> => {
  const token = app.config.ENTSOE_TOKEN
  if (!token) return 0
  let changed = 0
  for (const area of entsoeAreas) changed += (await runArea(app, token, area, null)) ?? 0
  const nowMs = app.clock.now()
  const first = await app.records.system((tx) => findState(tx, { source: sourceName, dataset: 'DayAheadPrices' }))
  if (missingFrom(first, nowMs) === null) return changed
  for (const area of standInAreas) {
    const ofArea = await app.records.system((tx) =>
      findCoverage(tx, { source: sourceName, dataset: 'DayAheadPrices' }, area),
    )
    const fromMs = missingFrom({ ...first, ...ofArea }, nowMs)
    if (fromMs !== null) changed += (await runArea(app, token, area, fromMs)) ?? 0
  }
  return changed
}

const frequencyDataset = 'BySecond'
const frequencyArea = 'DK2'
const askEveryMs = 50_000
const chunkMs = hourMs
const longestMs = dayMs
const firstSpanMs = 30 * minuteMs
const longestSilenceMs = 5 * minuteMs

const isFrequencyDue = ({ lastRequestMs }: SourceState, nowMs: number) =>
  lastRequestMs === null || nowMs - lastRequestMs >= askEveryMs

/**
 * The Nordic frequency from the last stored second to now, an hour per request; null and impossible values stay gaps. Each chunk is stored at once,
 * so the next run continues after the last stored second.
 */
export const runFrequency = async (app: SourceApp): Promise<number | null> => {
  const baseUrl = app.config.STATNETT_URL
  if (!baseUrl) return null
  const key = { source: frequencySource, dataset: frequencyDataset }
  const series = { ...key, kind: 'frequency' as const, unit: 'Hz' }
  const rules = { minIntervalMs: askEveryMs, isDue: isFrequencyDue }
  return runSource(app, key, rules, async ({ state }, nowMs) => {
    const toMs = Math.floor(nowMs / 1000) * 1000
    const firstMs = Math.max(state.newestMs ?? toMs - firstSpanMs, toMs - longestMs)
    let [rowCount, saved] = [0, 0]
    const warnings: string[] = []
    let last: { url: string; httpStatus: number } | null = null
    for (let fromMs = firstMs; fromMs < toMs; fromMs += chunkMs) {
      const answer = await fetchFrequency({ baseUrl, fromMs, toMs: Math.min(fromMs + chunkMs, toMs) })
      if (!answer.ok) return answer
      const samples = answer.samples.map(({ atMs, hz }) => ({ area: frequencyArea, atMs, value: hz }))
      saved += await saveSamples(app, series, samples, answer.stepMs)
      rowCount += samples.length
      warnings.push(...answer.warnings)
      last = answer
    }
    if (!last) return { ...failure('schema', 'the clock stands before the stored data'), url: baseUrl }
    const { url, httpStatus } = last
    // The last seconds are always null; several minutes of null mean no data.
    if (saved === 0 && toMs - firstMs >= longestSilenceMs)
      return { ...failure('empty', `${rowCount} rows, none with a value`, httpStatus), url }
    return { ok: true, url, httpStatus, rowCount, warnings, save: () => Promise.resolve(saved) }
  })
}

/** The bank publishes at about 16:00 on banking days. */
const publishedFrom = '16:15'

const areRatesDue = ({ lastSuccessMs }: SourceState, nowMs: number): boolean => {
  if (lastSuccessMs === null || nowMs - lastSuccessMs >= 12 * hourMs) return true
  const isBefore = today(lastSuccessMs) < today(nowMs) || localTime(lastSuccessMs) < publishedFrom
  return localTime(nowMs) >= publishedFrom && isBefore
}

const saveRates = async (tx: Tx, rates: readonly Rate[], nowMs: number): Promise<number> => {
  const saved = await sql`
    insert into exchange_rate as r (currency, day, dkk_per_unit, source, fetched_at)
    select 'EUR', day, rate, ${ratesSource}, ${new Date(nowMs)}
    from unnest(${rates.map((rate) => rate.day)}::date[], ${rates.map((rate) => rate.dkkPerEur)}::numeric[]) as i(day, rate)
    on conflict (currency, day) do update
    set dkk_per_unit = excluded.dkk_per_unit, source = excluded.source, fetched_at = excluded.fetched_at
    where r.dkk_per_unit <> excluded.dkk_per_unit`.execute(tx)
  return Number(saved.numAffectedRows ?? 0)
}

export const runExchangeRates = (app: SourceApp): Promise<number | null> =>
  runSource(app, { source: ratesSource, dataset: 'EUR' }, { minIntervalMs, isDue: areRatesDue }, async () => {
    const answer = await fetchRates(app.config.FX_URL)
    if (!answer.ok) return answer
    const { rates, url, httpStatus } = answer
    const save = (tx: Tx, nowMs: number) => saveRates(tx, rates, nowMs)
    return { ok: true, url, httpStatus, rowCount: rates.length, warnings: [], save }
  })
