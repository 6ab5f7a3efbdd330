import { sql } from 'kysely'
import type { PriceRow } from '#connectors/energi-data-service/parse.ts'
import type { Tx } from '#platform/records.ts'

/** Rows a statement: keeps a statement short on the embedded store, whose queries share one thread with the server. */
export const priceBatch = 500

/**
 * Stores published prices; rows without any price are left out, so the last good one stays. A price that was there with another value
 * is kept as a revision first; one that is unchanged is not written again. Answers how many rows are new or changed.
 */
export const savePrices = async (tx: Tx, rows: readonly PriceRow[], source: string, nowMs: number): Promise<number> => {
  const priced = rows.filter((row) => row.priceEur !== null || row.priceDkk !== null)
  let changed = 0
  for (let i = 0; i < priced.length; i += priceBatch)
    changed += await saveBatch(tx, priced.slice(i, i + priceBatch), source, new Date(nowMs))
  return changed
}

const saveBatch = async (tx: Tx, rows: PriceRow[], source: string, fetchedAt: Date): Promise<number> => {
  const column = <K extends keyof PriceRow>(key: K) => rows.map((row) => row[key])
  const written = await sql`
    with incoming as (
      select * from unnest(
        ${column('market')}::text[], ${column('area')}::text[], ${column('product')}::text[], ${column('auction')}::text[],
        ${rows.map((row) => new Date(row.startsAtMs).toISOString())}::timestamptz[], ${column('durationS')}::int[],
        ${column('priceEur')}::numeric[], ${column('priceDkk')}::numeric[], ${column('volumeMw')}::numeric[], ${column('unit')}::text[]
      ) as i(market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, volume_mw, unit)
    ), revised as (
      insert into market_price_revision (market, area, product, auction, starts_at, replaced_at, price_eur, price_dkk, fetched_at)
      select p.market, p.area, p.product, p.auction, p.starts_at, ${fetchedAt}, p.price_eur, p.price_dkk, p.fetched_at
      from market_price p join incoming i using (market, area, product, auction, starts_at)
      where (p.price_eur, p.price_dkk) is distinct from (i.price_eur, i.price_dkk)
      on conflict do nothing
    )
    insert into market_price as p
      (market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, volume_mw, unit, source, fetched_at)
    select market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, volume_mw, unit, ${source}, ${fetchedAt} from incoming
    on conflict (market, area, product, auction, starts_at) do update
    set duration_s = excluded.duration_s, price_eur = excluded.price_eur, price_dkk = excluded.price_dkk,
      volume_mw = excluded.volume_mw, unit = excluded.unit, source = excluded.source, fetched_at = excluded.fetched_at
    where (p.price_eur, p.price_dkk, p.duration_s, p.volume_mw)
      is distinct from (excluded.price_eur, excluded.price_dkk, excluded.duration_s, excluded.volume_mw)
    returning 1`.execute(tx)
  return written.rows.length
}
