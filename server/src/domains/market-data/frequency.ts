import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { failure } from '#connectors/ask.ts'
import type { Seen } from '#connectors/energi-data-service/publishing.ts'
import { fetchFrequency, frequencySource } from '#connectors/statnett-frequency/fetch.ts'
import { runSource, type Haul, type SourceApp } from './run-source.ts'
import { saveSamples } from './save-samples.ts'

const dataset = 'BySecond'
const area = 'DK2'
const askEveryMs = 50_000
const chunkMs = hourMs
/** After a longer outage the rest stays a gap: a chart of seconds is for the last day. */
const longestMs = 24 * hourMs
/** The first fetch of all starts here. */
const firstMs = 30 * minuteMs

const isDue = ({ lastRequestMs }: Seen, nowMs: number) => lastRequestMs === null || nowMs - lastRequestMs >= askEveryMs

/**
 * The Nordic frequency from the last stored second to now, an hour a request. What is null or impossible stays a gap. Each chunk is kept
 * at once, so a failure half way loses nothing; the next run goes on from the last stored second.
 */
export const runFrequency = async (app: SourceApp): Promise<number | null> => {
  const baseUrl = app.config.STATNETT_URL
  if (!baseUrl) return null
  const key = { source: frequencySource, dataset }
  return runSource(app, key, { minIntervalMs: askEveryMs, isDue }, async (seen, nowMs): Promise<Haul> => {
    const toMs = Math.floor(nowMs / 1000) * 1000
    const series = { kind: 'frequency' as const, unit: 'Hz', source: frequencySource, dataset }
    let fromMs = Math.max(seen.coveredUntilMs ?? toMs - firstMs, toMs - longestMs)
    let [rowCount, saved, coveredUntilMs] = [0, 0, seen.coveredUntilMs]
    const warnings: string[] = []
    let last: { url: string; httpStatus: number } | null = null
    while (fromMs < toMs) {
      const chunk = { fromMs, toMs: Math.min(fromMs + chunkMs, toMs) }
      const answer = await fetchFrequency({ baseUrl, ...chunk })
      // What came before is stored; it counts as covered with the next run that ends well.
      if (!answer.ok) return answer
      const samples = answer.samples.map(({ atMs, hz }) => ({ area, atMs, value: hz }))
      saved += await saveSamples(app, series, samples, answer.stepMs)
      const newest = samples.findLast((sample) => sample.value !== null)
      if (newest) coveredUntilMs = newest.atMs + answer.stepMs
      rowCount += samples.length
      warnings.push(...answer.warnings)
      last = answer
      fromMs = chunk.toMs
    }
    if (!last) return { ...failure('schema', 'the clock stands before the stored data'), url: baseUrl }
    const { url, httpStatus } = last
    return { ok: true, url, httpStatus, rowCount, warnings, coveredUntilMs, save: () => Promise.resolve(saved) }
  })
}
