import { dayBounds, hourMs, localTime, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Seen } from '#connectors/energi-data-service/publishing.ts'
import { fetchRates, ratesSource, type Rate } from '#connectors/exchange-rates/fetch.ts'
import type { Tx } from '#platform/records.ts'
import { runSource, type SourceApp } from './run-source.ts'

/** The bank publishes at about 16:00 on banking days. */
const publishedFrom = '16:15'

const isDue = ({ lastSuccessMs }: Seen, nowMs: number): boolean => {
  if (lastSuccessMs === null || nowMs - lastSuccessMs >= 12 * hourMs) return true
  const isBefore = today(lastSuccessMs) < today(nowMs) || localTime(lastSuccessMs) < publishedFrom
  return localTime(nowMs) >= publishedFrom && isBefore
}

/** Stores rates; one that is unchanged is not written again. Days without one (weekends, holidays) have no row: the reader takes the last before. */
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
  runSource(app, { source: ratesSource, dataset: 'EUR' }, { minIntervalMs: 60_000, isDue }, async () => {
    const answer = await fetchRates(app.config.FX_URL)
    if (!answer.ok) return answer
    const { rates, url, httpStatus } = answer
    const newest =
      rates
        .map((rate) => rate.day)
        .toSorted()
        .at(-1) ?? ''
    return {
      ok: true,
      url,
      httpStatus,
      rowCount: rates.length,
      warnings: [],
      coveredUntilMs: dayBounds(newest).toMs,
      save: (tx, nowMs) => saveRates(tx, rates, nowMs),
    }
  })
