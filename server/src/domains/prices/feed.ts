import { addDays, dayBounds, localTime, today } from '@gridmast/contract/time.ts'
import type { App } from '#app.ts'
import type { DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { fetchDataset, sourceName } from '#connectors/energi-data-service/fetch.ts'
import { afterAnswer, afterAsking, nextAllowed } from '#connectors/energi-data-service/limiter.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/records.ts'
import { savePrices } from './save-prices.ts'

const dataset: DatasetName = 'DayAheadPrices'
const areas = ['DK1', 'DK2', 'SE3', 'SE4']

/** Tomorrow's prices come at about 12:55 local; they are looked for every two minutes from 12:45 until they are there. */
const publishedFrom = '12:45'
const lookEveryMs = 2 * 60_000
const refreshMs = 60 * 60_000

/** Forward-published sets leave holes unless each request starts well before now (domain notes, section 1.2). */
const windowOf = (nowMs: number) => ({
  fromUtc: new Date(dayBounds(addDays(today(nowMs), -2)).fromMs),
  toUtc: new Date(dayBounds(addDays(today(nowMs), 1)).toMs),
})

/** Whether a request is worth its place: nothing yet, tomorrow is due, or an hour has passed. */
export const isDue = (
  state: { lastSuccessMs: number | null; coveredUntilMs: number | null; lastRequestMs: number | null },
  nowMs: number,
): boolean => {
  if (state.lastSuccessMs === null || nowMs - state.lastSuccessMs >= refreshMs) return true
  const tomorrowEnds = dayBounds(addDays(today(nowMs), 1)).toMs
  const tomorrowDue = localTime(nowMs) >= publishedFrom && (state.coveredUntilMs ?? 0) < tomorrowEnds
  return tomorrowDue && nowMs - (state.lastRequestMs ?? 0) >= lookEveryMs
}

/** Takes the one request of this minute for this process, or answers null when another has it, it is too early or nothing is due. */
const claimRequest = (app: App, nowMs: number) =>
  app.records.system(async (tx) => {
    await tx
      .insertInto('connector_state')
      .values({ source: sourceName, dataset })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = await ofFeed(tx).selectAll().forUpdate().executeTakeFirstOrThrow()
    const state = {
      lastRequestAtMs: row.last_request_at?.getTime() ?? null,
      notBeforeMs: row.not_before?.getTime() ?? null,
      failures: row.failures,
    }
    const seen = {
      lastSuccessMs: row.last_success_at?.getTime() ?? null,
      coveredUntilMs: row.covered_until?.getTime() ?? null,
      lastRequestMs: state.lastRequestAtMs,
    }
    if (!isDue(seen, nowMs) || nextAllowed(state, nowMs, app.config.EDS_MIN_INTERVAL_MS) > nowMs) return null
    await updateFeed(tx)
      .set({ last_request_at: new Date(nowMs) })
      .execute()
    return afterAsking(state, nowMs)
  })

const ofFeed = (tx: Tx) =>
  tx.selectFrom('connector_state').where('source', '=', sourceName).where('dataset', '=', dataset)
const updateFeed = (tx: Tx) =>
  tx.updateTable('connector_state').where('source', '=', sourceName).where('dataset', '=', dataset)

/**
 * Fetches the day-ahead prices around now when that is due and allowed. Prices, state and the run's line are written in one transaction;
 * a failure keeps the last good prices and marks the source. Answers how many prices are new or changed, or null when nothing was asked.
 */
export const fetchDayAhead = async (app: App): Promise<number | null> => {
  const startedMs = app.clock.now()
  const claimed = await claimRequest(app, startedMs)
  if (!claimed) return null
  const answer = await fetchDataset({ dataset, ...windowOf(startedMs), areas, baseUrl: app.config.EDS_URL })
  const nowMs = app.clock.now()
  const state = afterAnswer(claimed, answer, nowMs, app.config.EDS_MIN_INTERVAL_MS)
  const changed = await app.records.system(async (tx) => {
    const saved = answer.ok ? await savePrices(tx, answer.rows, sourceName, nowMs) : 0
    const covered = answer.ok ? answer.rows.map((row) => row.startsAtMs + row.durationS * 1000) : []
    await updateFeed(tx)
      .set({
        not_before: state.notBeforeMs === null ? null : new Date(state.notBeforeMs),
        failures: state.failures,
        simulated: app.config.EDS_SIMULATED === 'on',
        ...(answer.ok
          ? { last_success_at: new Date(nowMs), last_error: null }
          : { last_error: `${answer.kind}: ${answer.detail}`.slice(0, 500) }),
        ...(covered.length > 0 ? { covered_until: new Date(Math.max(...covered)) } : {}),
      })
      .execute()
    await tx
      .insertInto('connector_run')
      .values({
        run_id: newId(nowMs),
        source: sourceName,
        dataset,
        started_at: new Date(startedMs),
        finished_at: new Date(nowMs),
        http_status: answer.httpStatus,
        url: answer.url,
        row_count: answer.ok ? answer.rows.length : 0,
        changed_count: saved,
        warnings: answer.ok ? answer.warnings : [],
        error: answer.ok ? null : `${answer.kind}: ${answer.detail}`.slice(0, 500),
      })
      .execute()
    return saved
  })
  if (changed > 0) app.live.announce('prices', { dataset })
  if (!answer.ok) app.log.warn({ dataset, kind: answer.kind, detail: answer.detail }, 'prices not fetched')
  return changed
}
