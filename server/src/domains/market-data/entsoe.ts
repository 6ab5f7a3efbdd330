import { addDays, dayBounds, hourMs, localTime, today } from '@gridmast/contract/time.ts'
import { isDue, publishing, requestWindow, type Seen } from '#connectors/energi-data-service/publishing.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { entsoeSource, fetchDayAhead, type EntsoeArea } from '#connectors/entsoe/fetch.ts'
import { findSeen } from './claim.ts'
import { runSource, type SourceApp } from './run-source.ts'
import { savePrices } from './save-prices.ts'

/** Energi Data Service does not list these. */
const always: readonly EntsoeArea[] = ['SE1', 'SE2']
/** These it does: asked for here only while it fails. */
const instead: readonly EntsoeArea[] = ['DK1', 'DK2', 'SE3', 'SE4']

const minIntervalMs = 60_000
const schedule = publishing.DayAheadPrices

/** From where on the first source leaves prices out, once it has failed for an hour after tomorrow should have come; null while all is well. */
export const missingFrom = (first: Seen & { isFailing: boolean }, nowMs: number): number | null => {
  const { isFailing, lastSuccessMs, coveredUntilMs } = first
  const tomorrowEndsMs = dayBounds(addDays(today(nowMs), 1)).toMs
  const isOverdue = schedule.kind === 'ahead' && localTime(nowMs) >= schedule.by
  const isMissing = (coveredUntilMs ?? 0) < tomorrowEndsMs
  if (!isFailing || !isOverdue || !isMissing || nowMs - (lastSuccessMs ?? 0) < hourMs) return null
  return coveredUntilMs ?? dayBounds(today(nowMs)).fromMs
}

const runArea = (app: SourceApp, token: string, area: EntsoeArea, fromMs: number | null) =>
  runSource(
    app,
    { source: entsoeSource, dataset: `A44 ${area}` },
    {
      minIntervalMs,
      isDue: (seen, nowMs) => isDue(schedule, seen, nowMs),
    },
    async (seen, nowMs) => {
      const window = requestWindow(schedule, seen, nowMs)
      // Never over what the first source gave: its rows carry DKK too.
      const span = fromMs === null ? window : { fromMs: Math.max(fromMs, window.fromMs), toMs: window.toMs }
      const answer = await fetchDayAhead({ baseUrl: app.config.ENTSOE_URL, token, area, ...span })
      if (!answer.ok) return answer
      const { rows, url, httpStatus } = answer
      const ends = rows.map((row) => row.startsAtMs + row.durationS * 1000)
      const prices = rows.map((row) => ({
        ...row,
        market: 'day-ahead',
        product: '',
        auction: '',
        priceDkk: null,
        volumeMw: null,
        unit: 'MWh',
      }))
      return {
        ok: true,
        url,
        httpStatus,
        rowCount: rows.length,
        warnings: [],
        coveredUntilMs: ends.length > 0 ? Math.max(...ends) : null,
        save: (tx, savedMs) => savePrices(tx, prices, entsoeSource, savedMs),
      }
    },
  )

/** Day-ahead prices of the areas that the first source lacks, and of the others while it fails. Off without a token. */
export const runEntsoe = async (app: SourceApp): Promise<number> => {
  const token = app.config.ENTSOE_TOKEN
  if (!token) return 0
  let changed = 0
  for (const area of always) changed += (await runArea(app, token, area, null)) ?? 0
  const first = await app.records.system(async (tx) => {
    const state = await tx
      .selectFrom('connector_state')
      .select('last_error')
      .where('source', '=', sourceName)
      .where('dataset', '=', 'DayAheadPrices')
      .executeTakeFirst()
    const seen = await findSeen(tx, { source: sourceName, dataset: 'DayAheadPrices' })
    return { ...seen, isFailing: (state?.last_error ?? null) !== null }
  })
  const fromMs = missingFrom(first, app.clock.now())
  if (fromMs !== null) for (const area of instead) changed += (await runArea(app, token, area, fromMs)) ?? 0
  return changed
}
