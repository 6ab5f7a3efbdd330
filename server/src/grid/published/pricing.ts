import { localDateOf, type Span } from '@gridmast/contract/time.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { priceOf, spotRate, tariffRate, type Rates } from './cost-of-energy.ts'
import { findPriceRuns, type PriceRun } from './published-prices.ts'
import { getSource, sourceOfPrices } from './sources.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

export type Pricing = { area: string; taxDkkPerMwh: string; tariff: { gln: string; code: string } | null }

/** Energinet's own tariffs are the same for all consumers and belong to the flat tax (domain notes, section 6). */
const energinetGln = '5790000432752'
/** DatahubPricelist: D03 is a tariff, unlike subscriptions and fees. */
const tariffType = 'D03'

export const findTariffs = async (tx: Tx, date: string) => {
  const rows = await sqlRows<{ gln: string; owner: string; code: string; name: string; valid_from: string }>(tx)`
    select distinct on (owner_gln, code) owner_gln as gln, owner_name as owner, code, name, valid_from::text
    from tariff
    where charge_type = ${tariffType} and owner_gln <> ${energinetGln}
      and valid_from <= ${date}::date and (valid_to is null or valid_to > ${date}::date)
    order by owner_gln, code, valid_from desc`
  return rows.toSorted((a, b) => a.owner.localeCompare(b.owner, 'da') || a.code.localeCompare(b.code, 'da'))
}

const findValidities = async (tx: Tx, { gln, code }: { gln: string; code: string }, { fromMs, toMs }: Span) => {
  const rows = await sqlRows<{ valid_from: string; valid_to: string | null; prices: string[] }>(tx)`
    select valid_from::text, valid_to::text, prices::text[] as prices from tariff
    where owner_gln = ${gln} and charge_type = ${tariffType} and code = ${code}
      and valid_from <= ${localDateOf(toMs)}::date
        and (valid_to is null or valid_to > ${localDateOf(fromMs)}::date)`
  return rows.map((row) => ({ validFrom: row.valid_from, validTo: row.valid_to, dkkPerKwh: row.prices }))
}

export const tariffExists = async (tx: Tx, { gln, code }: { gln: string; code: string }): Promise<boolean> => {
  const tariff = await tx
    .selectFrom('tariff')
    .select('code')
    .where('owner_gln', '=', gln)
    .where('owner_gln', '<>', energinetGln)
    .where('charge_type', '=', tariffType)
    .where('code', '=', code)
    .executeTakeFirst()
  return tariff !== undefined
}

const pricesOf = function* (runs: readonly PriceRun[]) {
  for (const { duration_s, starts_s, prices_dkk } of runs)
    for (const [i, startS] of starts_s.entries())
      yield { fromMs: startS * 1000, toMs: (startS + duration_s) * 1000, dkkPerMwh: prices_dkk[i] ?? '' }
}

/** Rates of a span; spans begin on local midnights, which are full hours, so no hourly price begins before one. */
export const readRates = async (tx: Tx, pricing: Pricing, span: Span): Promise<Rates> => {
  const { area, tariff } = pricing
  const runs = await findPriceRuns(tx, area, span)
  const chargedTariff =
    tariff &&
    tariffRate(
      await findValidities(tx, tariff, span),
      await getSource(tx, { source: sourceName, dataset: 'DatahubPricelist' }),
    )
  return {
    spot: spotRate(pricesOf(runs), sourceOfPrices('day-ahead', area, runs, span.fromMs)),
    tariff: chargedTariff,
    tax: priceOf(pricing.taxDkkPerMwh),
  }
}
