import { type RawBuilder, sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import { type Marks, addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import type { PriceRow, Tariff } from '#connectors/energi-data-service/parse.ts'
import { sqlRows } from '#platform/records/rows.ts'

type SavedPrices = { count: number; energy: { reserve: string; area: string; day: string }[] }

const savedPrices = async (tx: Tx, statement: RawBuilder<unknown>, before: RawBuilder<unknown> = sql``) => {
  const rows = await sqlRows<SavedPrices>(tx)`
    with ${before} saved as (${statement} returning p.market, p.area, p.starts_at)
    select count(*)::int as count, coalesce(jsonb_agg(distinct jsonb_build_object('reserve', split_part(market, '-', 1), 'area', area,
      'day', (starts_at at time zone 'Europe/Berlin')::date)) filter (where market like '%FRR-energy-%'), '[]') as energy
    from saved`
  return rows[0] ?? { count: 0, energy: [] }
}

/** Flags settlements with an energy revenue from these prices for recalculation, also while a past day is being settled for the first time. */
const markEnergyPrices = async (tx: Tx, saved: readonly SavedPrices[]): Promise<void> => {
  const days = saved.flatMap(({ energy }) => energy)
  if (days.length === 0) return
  const rows = await sqlRows<Marks['settlement_due']>(tx)`
    select distinct s.customer_id, s.instance_id, s.day::text
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as c(reserve text, area text, day date)
    join instance i on i.area = c.area
    join settlement s on s.customer_id = i.customer_id and s.instance_id = i.instance_id and s.day = c.day
    where (s.is_closed or s.day < (now() at time zone 'Europe/Berlin')::date)
      and s.energy_state <> 'none' and s.product like c.reserve || '%'`
  addMarks(tx, 'settlement_due', rows)
}

/** Rows per statement: the embedded store shares the server's thread, and 250 rows block it for 5 to 12 ms. */
export const priceBatch = 250

type Origin = { source: string; simulated: boolean }

/**
 * Stores published prices and returns the number of new or changed rows. Rows without a price are skipped, so the last good one stays; a changed
 * price is first kept as a revision, and an unchanged one is not written.
 */
export const savePrices = async (tx: Tx, rows: readonly PriceRow[], origin: Origin, nowMs: number): Promise<number> => {
  const priced = withPrice(rows)
  const save = priced.length > 0 && (await isNoneStored(tx, priced)) ? addNew : addOrRevise
  const saved: SavedPrices[] = []
  for (let i = 0; i < priced.length; i += priceBatch) {
    saved.push(...(await save(tx, priced.slice(i, i + priceBatch), origin, new Date(nowMs))))
    await setImmediate() // the embedded store never yields the thread by itself
  }
  await markEnergyPrices(tx, saved)
  return saved.reduce((sum, { count }) => sum + count, 0)
}

const withPrice = (rows: readonly PriceRow[]) => rows.filter((row) => row.priceEur !== null || row.priceDkk !== null)

export const addMissingPrices = async (tx: Tx, rows: readonly PriceRow[], origin: Origin, nowMs: number) => {
  const priced = withPrice(rows)
  const saved = await savedPrices(tx, sql`${insertion(priced, origin, new Date(nowMs))} on conflict do nothing`)
  await markEnergyPrices(tx, [saved])
  const added = saved.count
  if (added === priced.length) return { added, differs: false }
  const { rows: changed } = await sql`select from ${different(priced, origin)} limit 1`.execute(tx)
  return { added, differs: changed.length > 0 }
}

const seriesOf = (row: PriceRow) => [row.market, row.area, row.product, row.auction]

/**
 * True where none of these series has rows in its span: then every row is new, and searching for stored ones is a third of the work (measured). The
 * lock admits one writer at a time, so it stays true.
 */
const isNoneStored = async (tx: Tx, rows: readonly PriceRow[]): Promise<boolean> => {
  await sql`select pg_advisory_xact_lock(hashtext('market_price'))`.execute(tx)
  const spans = [...Map.groupBy(rows, (row) => seriesOf(row).join(' ')).values()].map((series) => {
    const startsMs = series.map((row) => row.startsAtMs)
    const firstMs = startsMs.reduce((a, b) => Math.min(a, b))
    const lastMs = startsMs.reduce((a, b) => Math.max(a, b))
    return [...seriesOf(series[0] as PriceRow), new Date(firstMs).toISOString(), new Date(lastMs).toISOString()] // no group is empty
  })
  const column = (i: number) => spans.map((span) => span[i])
  const { rows: stored } = await sql`
    select from unnest(
      ${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::text[], ${column(4)}::timestamptz[], ${column(5)}::timestamptz[]
    ) as s(market, area, product, auction, first_at, last_at), lateral (
      select from market_price m
      where m.market = s.market and m.area = s.area and m.product = s.product and m.auction = s.auction
        and m.starts_at between s.first_at and s.last_at
      limit 1
    ) p
    limit 1`.execute(tx)
  return stored.length === 0
}

const incoming = (rows: readonly PriceRow[]) => {
  const column = <K extends keyof PriceRow>(key: K) => rows.map((row) => row[key])
  return sql`unnest(
    ${column('market')}::text[], ${column('area')}::text[], ${column('product')}::text[], ${column('auction')}::text[],
    ${rows.map((row) => new Date(row.startsAtMs).toISOString())}::timestamptz[], ${column('durationS')}::int[],
    ${column('priceEur')}::numeric(14, 6)[], ${column('priceDkk')}::numeric(14, 6)[], ${column('volumeMw')}::numeric(14, 3)[],
    ${column('unit')}::text[]
  ) as i(market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, volume_mw, unit)`
}

const insertion = (rows: readonly PriceRow[], { source, simulated }: Origin, fetchedAt: Date) => sql`
  insert into market_price as p
    (market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, volume_mw, unit, source, simulated, fetched_at)
  select i.*, ${source}, ${simulated}::boolean, ${fetchedAt}::timestamptz from ${incoming(rows)}`

const addNew = async (tx: Tx, rows: readonly PriceRow[], origin: Origin, fetchedAt: Date) => [
  await savedPrices(tx, insertion(rows, origin, fetchedAt)),
]

/** Two statements, because most batches are entirely new or entirely stored. */
const addOrRevise = async (tx: Tx, rows: readonly PriceRow[], origin: Origin, fetchedAt: Date) => {
  const added = await savedPrices(tx, sql`${insertion(rows, origin, fetchedAt)} on conflict do nothing`)
  return added.count < rows.length ? [added, await reviseStored(tx, rows, origin, fetchedAt)] : [added]
}

/** Incoming rows that differ from the stored ones. The lateral lookup by key never reads the whole table, whatever the planner estimates. */
const different = (rows: readonly PriceRow[], { simulated }: Origin) => sql`(
  select i.*, p.price_eur as old_eur, p.price_dkk as old_dkk, p.fetched_at as old_fetched_at,
    p.price_eur is distinct from i.price_eur or p.price_dkk is distinct from i.price_dkk as is_revision
  from ${incoming(rows)}, lateral (
    select * from market_price m
    where m.market = i.market and m.area = i.area and m.product = i.product and m.auction = i.auction and m.starts_at = i.starts_at
    limit 1
  ) p
  where p.price_eur is distinct from i.price_eur or p.price_dkk is distinct from i.price_dkk
    or p.volume_mw is distinct from i.volume_mw or p.duration_s <> i.duration_s or p.simulated <> ${simulated}::boolean
) d`

const reviseStored = (tx: Tx, rows: readonly PriceRow[], origin: Origin, fetchedAt: Date) =>
  savedPrices(
    tx,
    sql`
    update market_price p
    set duration_s = i.duration_s, price_eur = i.price_eur, price_dkk = i.price_dkk, volume_mw = i.volume_mw, unit = i.unit,
      source = ${origin.source}, simulated = ${origin.simulated}::boolean, fetched_at = ${fetchedAt}::timestamptz
    from changed i
    where p.market = i.market and p.area = i.area and p.product = i.product and p.auction = i.auction and p.starts_at = i.starts_at`,
    sql`changed as materialized (select * from ${different(rows, origin)}), kept as (
      insert into market_price_revision (market, area, product, auction, starts_at, replaced_at, price_eur, price_dkk, fetched_at)
      select market, area, product, auction, starts_at, ${fetchedAt}::timestamptz, old_eur, old_dkk, old_fetched_at
      from changed where is_revision
      on conflict do nothing
    ),`,
  )

const tariffBatch = 250

export const saveTariffs = async (tx: Tx, tariffs: readonly Tariff[], source: string, nowMs: number) => {
  // The list may contain a validity twice; the later row counts.
  const each = [...new Map(tariffs.map((one) => [keyOf(one), one])).values()]
  let changed = 0
  for (let i = 0; i < each.length; i += tariffBatch) {
    const rows = each.slice(i, i + tariffBatch)
    const column = <K extends keyof Tariff>(key: K) => rows.map((row) => row[key])
    const written = await sql`
      insert into tariff as t
        (owner_gln, owner_name, charge_type, code, name, valid_from, valid_to, resolution, prices, source, fetched_at)
      select owner_gln, owner_name, charge_type, code, name, valid_from, valid_to, resolution, prices::numeric(12, 6)[],
        ${source}, ${new Date(nowMs)}
      from unnest(
        ${column('ownerGln')}::text[], ${column('ownerName')}::text[], ${column('chargeType')}::text[], ${column('code')}::text[],
        ${column('name')}::text[], ${column('validFrom')}::date[], ${column('validTo')}::date[], ${column('resolution')}::text[],
        ${rows.map((row) => `{${row.prices.join(',')}}`)}::text[]
      ) as i(owner_gln, owner_name, charge_type, code, name, valid_from, valid_to, resolution, prices)
      on conflict (owner_gln, charge_type, code, valid_from) do update
      set owner_name = excluded.owner_name, name = excluded.name, valid_to = excluded.valid_to, resolution = excluded.resolution,
        prices = excluded.prices, source = excluded.source, fetched_at = excluded.fetched_at
      where (t.name, t.valid_to, t.resolution, t.prices)
        is distinct from (excluded.name, excluded.valid_to, excluded.resolution, excluded.prices)
      returning 1`.execute(tx)
    changed += written.rows.length
  }
  return changed
}

const keyOf = ({ ownerGln, chargeType, code, validFrom }: Tariff) => [ownerGln, chargeType, code, validFrom].join('\n')
