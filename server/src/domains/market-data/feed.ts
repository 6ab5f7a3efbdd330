import { today, type Span } from '@gridmast/contract/time.ts'
import type { App } from '#app.ts'
import { datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { fetchDataset, sourceName, type Fetched } from '#connectors/energi-data-service/fetch.ts'
import { isDue, publishing, requestWindow } from '#connectors/energi-data-service/publishing.ts'
import { claimRequest, recordOutcome, type Claim, type Outcome } from './claim.ts'
import { monthsBetween, planMonths } from './plan.ts'
import { coveredUntil, saveFoundRows, saveFoundSamples } from './save-found.ts'

type FeedApp = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'live' | 'log'>

/**
 * Fetches one dataset around now when that is due and allowed. Rows, state and the run's line are written in one transaction; a failure
 * keeps the last good data and marks the source. Answers how many rows are new or changed, or null when nothing was asked.
 */
export const runFeed = async (app: FeedApp, dataset: DatasetName): Promise<number | null> => {
  const startedMs = app.clock.now()
  const schedule = publishing[dataset]
  const rules = {
    minIntervalMs: app.config.EDS_MIN_INTERVAL_MS,
    wants: (seen: Claim['seen']) => isDue(schedule, seen, startedMs),
  }
  const claim = await claimRequest(app, { source: sourceName, dataset }, rules, startedMs)
  if (!claim) return null
  const { fromMs, toMs } = requestWindow(schedule, claim.seen, startedMs)
  const answer = await fetchDataset({
    dataset,
    fromUtc: new Date(fromMs),
    toUtc: new Date(toMs),
    areas: datasets[dataset].areas,
    baseUrl: app.config.EDS_URL,
  })
  const coveredMs = claim.seen.coveredUntilMs
  const hole = coveredMs !== null && coveredMs < fromMs ? { fromMs: coveredMs, toMs: fromMs } : null
  return saveAnswer(app, dataset, { claim, hole, startedMs }, answer)
}

/** `hole` is what an outage left that is too old for one request. */
type Asked = { claim: Claim; hole: Span | null; startedMs: number }

const saveAnswer = async (
  app: FeedApp,
  dataset: DatasetName,
  { claim, hole, startedMs }: Asked,
  answer: Fetched,
): Promise<number> => {
  const samples = answer.ok ? await saveFoundSamples(app, dataset, answer) : 0
  const nowMs = app.clock.now()
  const changed = await app.records.system(async (tx) => {
    const saved = answer.ok ? samples + (await saveFoundRows(tx, answer, nowMs)) : 0
    if (answer.ok && hole) {
      const months = monthsBetween(dataset, today(hole.fromMs), today(hole.toMs), nowMs)
      await planMonths(tx, dataset, months, { again: true })
    }
    await recordOutcome(tx, { source: sourceName, dataset }, claim, outcomeOf(dataset, answer, saved), {
      startedMs,
      nowMs,
      minIntervalMs: app.config.EDS_MIN_INTERVAL_MS,
      simulated: app.config.EDS_SIMULATED === 'on',
    })
    return saved
  })
  if (changed > 0) app.live.announce('prices', { dataset })
  if (!answer.ok) app.log.warn({ dataset, kind: answer.kind, detail: answer.detail }, 'market data not fetched')
  return changed
}

/** What the state keeps of an answer. */
export const outcomeOf = (dataset: DatasetName, answer: Fetched, changed: number): Outcome => {
  const { url, httpStatus } = answer
  if (!answer.ok) return { ...answer, rowCount: 0, changed: 0, warnings: [] }
  return {
    ok: true,
    url,
    httpStatus,
    rowCount: answer.prices.length + answer.samples.length + answer.tariffs.length,
    changed,
    warnings: answer.warnings,
    coveredUntilMs: coveredUntil(answer, datasets[dataset].durationMs(0, undefined)),
  }
}
