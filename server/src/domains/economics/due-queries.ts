import type { LocalDate } from '@gridmast/contract/time.ts'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { DB } from '#platform/db-types.ts'
import { insertRows } from '#platform/insert-rows.ts'
import type { Tx } from '#platform/records.ts'
import type { Signals } from './measured.ts'
import type { BidResult, Contract } from './settle.ts'

/** A day of an instance. */
export type InstanceDay = { customer_id: string; instance_id: string; day: LocalDate }
/** The mark is another where it was marked again since. */
export type Due = InstanceDay & { mark: string }
export type StoredVersion = Pick<SettlementRow, 'product' | 'version' | 'is_closed' | 'is_result_fetched'> & {
  sha256: string
}
export type SettlementRow = Insertable<DB['settlement']>
export type ProductBids = { product: string; market: string; bids: BidResult[] }

/** Everything that a day is settled from but telemetry, and what it was settled as. */
export type DayInputs = {
  due: Due
  signals: Signals
  products: ProductBids[]
  contract: ValidContract | null
  stored: StoredVersion[]
}
export type ValidContract = Contract & { validFrom: LocalDate }

/** The newest month first, in it instance by instance; marks that are still moving wait. */
export const findDue = async (tx: Tx, { quietMs, most }: { quietMs: number; most: number }): Promise<Due[]> => {
  const { rows } = await sql<Due>`
    select customer_id, instance_id, day::text, mark::text from settlement_due
    where marked_at <= now() - ${`${quietMs} ms`}::interval 
    order by date_trunc('month', day) desc, customer_id, instance_id, day desc limit ${most}`.execute(tx)
  return rows
}

const askedFor = (days: readonly InstanceDay[]): RawBuilder<unknown> => sql`
  jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as a(customer_id uuid, instance_id uuid, day date, mark bigint)`

type BidRow = InstanceDay & {
  product: string
  market: string
  auction: string
  slot: number
  starts_at: Date
  ends_at: Date
  capacity_mw: string
  price_eur: string
  regulation_price_eur: string | null
  won: boolean | null
  won_mw: string | null
  marginal_price_eur: string | null
  decided_by: BidResult['decidedBy']
}

const toResult = (row: BidRow): BidResult => ({
  ...{ fromMs: row.starts_at.getTime(), toMs: row.ends_at.getTime(), slot: row.slot, auction: row.auction },
  ...{ capacityMw: row.capacity_mw, priceEur: row.price_eur, regulationPriceEur: row.regulation_price_eur },
  ...{ won: row.won, wonMw: row.won_mw, marginalPriceEur: row.marginal_price_eur },
  decidedBy: row.decided_by,
})

type ContractRow = InstanceDay & {
  valid_from: LocalDate
  customer_percent: string
  partner_percent: string
  sc_percent: string
  enablers: Record<string, number>
  penalty_to: string
}

const toContract = (row: ContractRow): ValidContract => ({
  ...{ validFrom: row.valid_from, customer: row.customer_percent, partner: row.partner_percent, sc: row.sc_percent },
  enablers: Object.fromEntries(Object.entries(row.enablers).map(([name, percent]) => [name, String(percent)])),
  penaltyTo: row.penalty_to === 'sc' ? 'sc' : 'shares',
})

const keyOf = ({ customer_id, instance_id, day }: InstanceDay) => `${customer_id} ${instance_id} ${day}`

/** For any number of days in four statements. Where contracts overlap the one that began last is valid. */
export const readInputs = async (tx: Tx, all: readonly Due[]): Promise<DayInputs[]> => {
  const asked = askedFor(all)
  const bids = await sql<BidRow>`
    select b.customer_id, b.instance_id, b.day::text, b.product, b.market, b.auction, b.slot, b.starts_at, b.ends_at,
      trim_scale(b.capacity_mw)::text as capacity_mw, trim_scale(b.price_eur)::text as price_eur,
      trim_scale(b.regulation_price_eur)::text as regulation_price_eur, b.won, b.decided_by,
      trim_scale(b.won_mw)::text as won_mw, trim_scale(b.marginal_price_eur)::text as marginal_price_eur
    from ${asked} join bid b using (customer_id, instance_id, day) order by b.product, b.starts_at, b.auction`.execute(
    tx,
  )
  const contracts = await sql<ContractRow>`
    select a.customer_id, a.instance_id, a.day::text, c.valid_from::text, trim_scale(c.customer_percent)::text as customer_percent,
      trim_scale(c.partner_percent)::text as partner_percent, trim_scale(c.sc_percent)::text as sc_percent, c.enablers, c.penalty_to
    from ${asked} cross join lateral (
      select * from instance_contract c where c.customer_id = a.customer_id and c.instance_id = a.instance_id
        and c.valid_from <= a.day and (c.valid_to is null or c.valid_to > a.day) order by c.valid_from desc limit 1) c`.execute(
    tx,
  )
  const stored = await sql<InstanceDay & StoredVersion>`
    select s.customer_id, s.instance_id, s.day::text, s.product, s.version, s.is_closed, s.is_result_fetched,
      s.inputs_sha256 as sha256
    from ${asked} join settlement s using (customer_id, instance_id, day)`.execute(tx)
  const signals = await sql<{ customer_id: string; instance_id: string; nos: Record<string, number> }>`
    select s.customer_id, s.instance_id, jsonb_object_agg(s.kind, s.no) as nos
    from (select distinct customer_id, instance_id from ${asked}) a join signal s using (customer_id, instance_id)
    group by 1, 2`.execute(tx)

  const bidsOf = Map.groupBy(bids.rows, keyOf)
  const storedOf = Map.groupBy(stored.rows, keyOf)
  const contractOf = new Map(contracts.rows.map((row) => [keyOf(row), toContract(row)]))
  const nosOf = new Map(signals.rows.map(({ instance_id, nos }) => [instance_id, nos]))
  return all.map((due) => {
    const nos = nosOf.get(due.instance_id)
    const byProduct = Map.groupBy(bidsOf.get(keyOf(due)) ?? [], ({ product }) => product)
    return {
      due,
      signals: {
        ...{ power: nos?.['power'] ?? null },
        ...{ capacityUp: nos?.['capacityUp'] ?? null, capacityDown: nos?.['capacityDown'] ?? null },
      },
      products: [...byProduct].map(([product, rows]) => ({
        ...{ product, market: rows[0]?.market ?? product },
        bids: rows.map(toResult),
      })),
      contract: contractOf.get(keyOf(due)) ?? null,
      stored: storedOf.get(keyOf(due)) ?? [],
    }
  })
}

/** Takes marks away; answers those that nobody has moved or taken since they were read. */
export const takeDue = async (tx: Tx, all: readonly Due[]): Promise<Set<string>> => {
  const { rows } = await sql<InstanceDay>`
    delete from settlement_due d using ${askedFor(all)}
    where d.customer_id = a.customer_id and d.instance_id = a.instance_id and d.day = a.day and d.mark = a.mark
    returning d.customer_id, d.instance_id, d.day::text`.execute(tx)
  return new Set(rows.map(keyOf))
}

export const isTaken = (taken: ReadonlySet<string>, due: Due): boolean => taken.has(keyOf(due))

type Key = InstanceDay & { product: string }

/** What they were before stays readable. */
export const keepRevisions = async (tx: Tx, keys: readonly Key[], at: Date): Promise<void> => {
  await sql`
    insert into settlement_revision select s.*, ${at} from settlement s
    join jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k(customer_id uuid, instance_id uuid, day date, product text)
      using (customer_id, instance_id, day, product)`.execute(tx)
}

export const removeSettlements = async (tx: Tx, keys: readonly Key[]): Promise<void> => {
  await sql`
    delete from settlement s using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      as k(customer_id uuid, instance_id uuid, day date, product text)
    where (s.customer_id, s.instance_id, s.day, s.product) = (k.customer_id, k.instance_id, k.day, k.product)`.execute(
    tx,
  )
}

const written = [
  ...([
    'market',
    'version',
    'made_at',
    'is_closed',
    'is_result_fetched',
    'won_mw',
    'capacity_eur',
    'penalty_eur',
  ] as const),
  ...([
    'gross_eur',
    'energy_eur',
    'customer_eur',
    'partner_eur',
    'sc_eur',
    'enablers',
    'inputs',
    'inputs_sha256',
  ] as const),
]

export const saveSettlements = async (tx: Tx, rows: readonly SettlementRow[]): Promise<void> => {
  await sql`${insertRows('settlement', rows)} on conflict (customer_id, instance_id, day, product) do update
    set ${sql.join(written.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`))}`.execute(tx)
}

/** Days that are over and were settled while they were not. */
export const markEnded = async (tx: Tx, before: LocalDate): Promise<void> => {
  await sql`
    insert into settlement_due (customer_id, instance_id, day)
    select distinct customer_id, instance_id, day from settlement where not is_closed and day < ${before}::date order by 1, 2, 3
    on conflict do nothing`.execute(tx)
}

/** Settled days of which something was measured that came later. */
export const markMeasured = async (tx: Tx, days: readonly { no: number; day: LocalDate }[]): Promise<void> => {
  await sql`
    insert into settlement_due (customer_id, instance_id, day)
    select distinct t.customer_id, t.instance_id, t.day
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as m(no int, day date)
    join signal s on s.no = m.no and s.kind in ('power', 'capacityUp', 'capacityDown')
    join settlement t on t.customer_id = s.customer_id and t.instance_id = s.instance_id and t.day = m.day and t.is_closed
    order by 1, 2, 3
    on conflict (customer_id, instance_id, day) do update set mark = nextval('settlement_mark'), marked_at = now()`.execute(
    tx,
  )
}

export const getWatermark = async (tx: Tx): Promise<number | null> => {
  const found = await tx.selectFrom('settlement_watermark').select('readings_version').executeTakeFirst()
  return found?.readings_version ?? null
}

export const saveWatermark = async (tx: Tx, version: number): Promise<void> => {
  await sql`insert into settlement_watermark (readings_version) values (${version})
    on conflict (is_one) do update set readings_version = excluded.readings_version`.execute(tx)
}
