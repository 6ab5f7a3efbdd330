import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import { addDecimals, compareDecimals } from '@gridmast/contract/numbers.ts'
import { dayBounds, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { findTests } from '#delivery/equipment/manual-set-points.ts'
import { addMarks, type Marks } from '#platform/records/marks.ts'
import { sqlRows, insertRows, type RowOf } from '#platform/records/rows.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Signals } from './measured.ts'
import type { Amounts, BidResult, SettlementRow, ValidContract } from './settle.ts'

export type InstanceDay = Marks['settlement_due']
export type Due = InstanceDay & { mark: string }
type StoredVersion = Pick<
  SettlementRow,
  'product' | 'version' | 'is_closed' | 'is_result_fetched' | 'energy_state' | 'inputs_sha256'
> & { amounts: Amounts }
export type ProductBids = { product: string; market: string; bids: BidResult[] }

export type DayInputs = {
  due: Due
  signals: Signals
  products: ProductBids[]
  contract: ValidContract | null
  energyPrices: ReadonlyMap<string, string>
  tests: readonly Span[]
  stored: StoredVersion[]
  replaced: ReadonlyMap<string, number>
}

const daysTable = (days: readonly InstanceDay[]): RawBuilder<unknown> => sql`
  jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as a(customer_id uuid, instance_id uuid, day date, mark bigint)`

type BidRow = InstanceDay &
  Omit<RowOf<'bid'>, 'customer_id' | 'instance_id' | 'day' | 'decided_by'> & { decided_by: BidResult['decidedBy'] }

const toResult = (row: BidRow): BidResult => ({
  fromMs: row.starts_at.getTime(),
  toMs: row.ends_at.getTime(),
  slot: row.slot,
  auction: row.auction,
  capacityMw: row.capacity_mw,
  priceEur: row.price_eur,
  regulationPriceEur: row.regulation_price_eur,
  won: row.won,
  wonMw: row.won_mw,
  marginalPriceEur: row.marginal_price_eur,
  decidedBy: row.decided_by,
})

type ContractRow = InstanceDay &
  Pick<
    RowOf<'instance_contract'>,
    'valid_from' | 'customer_percent' | 'partner_percent' | 'sc_percent' | 'penalty_to'
  > & {
    enablers: Record<string, number>
  }

/** Provisioning refuses shares that do not total 100 percent, so such a contract was edited in the database and counts as unknown. */
const isWhole = ({ customer, partner, sc, enablers }: ValidContract) =>
  compareDecimals(addDecimals(customer, partner, sc, ...Object.values(enablers)), '100') === 0

const toContract = (row: ContractRow): ValidContract => ({
  validFrom: row.valid_from,
  customer: row.customer_percent,
  partner: row.partner_percent,
  sc: row.sc_percent,
  enablers: Object.fromEntries(Object.entries(row.enablers).map(([name, percent]) => [name, String(percent)])),
  penaltyTo: row.penalty_to === 'sc' ? 'sc' : 'shares',
})

const keyOf = ({ customer_id, instance_id, day }: InstanceDay) => `${customer_id} ${instance_id} ${day}`

export const energyPriceKey = (series: string, atMs: number) => `${series} ${atMs}`

const readEnergyPrices = async (tx: Tx, days: readonly InstanceDay[]) => {
  const byDay = new Map<string, Map<string, string>>()
  if (days.length === 0) return byDay
  const spans = days.map((of) => {
    const { fromMs, toMs } = dayBounds(of.day)
    return { ...of, from_at: new Date(fromMs), to_at: new Date(toMs) }
  })
  const rows = await sqlRows<InstanceDay & { market: string; starts_at: Date; eur: string }>(tx)`
    select a.customer_id, a.instance_id, a.day::text, p.market, p.starts_at, trim_scale(p.price_eur)::text as eur
    from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb)
      as a(customer_id uuid, instance_id uuid, day date, from_at timestamptz, to_at timestamptz)
    join instance i using (customer_id, instance_id)
    join market_price p on p.market in ('aFRR-energy-INC', 'aFRR-energy-DEC', 'mFRR-energy-INC', 'mFRR-energy-DEC')
      and p.area = i.area and p.product = '' and p.auction = '' and p.starts_at >= a.from_at and p.starts_at < a.to_at
      and p.price_eur is not null`
  for (const { market, starts_at, eur, ...of } of rows) {
    const prices = byDay.get(keyOf(of)) ?? new Map<string, string>()
    byDay.set(keyOf(of), prices.set(energyPriceKey(market, starts_at.getTime()), eur))
  }
  return byDay
}

export const readInputs = async (tx: Tx, all: readonly Due[]): Promise<DayInputs[]> => {
  const days = daysTable(all)
  const bids = await sql<BidRow>`
    select b.customer_id, b.instance_id, b.day::text, b.product, b.market, b.auction, b.slot, b.starts_at, b.ends_at,
      trim_scale(b.capacity_mw)::text as capacity_mw, trim_scale(b.price_eur)::text as price_eur,
      trim_scale(b.regulation_price_eur)::text as regulation_price_eur, b.won, b.decided_by,
      trim_scale(b.won_mw)::text as won_mw, trim_scale(b.marginal_price_eur)::text as marginal_price_eur
    from ${days} join bid b using (customer_id, instance_id, day)
    order by b.product, b.starts_at, b.auction`.execute(tx)
  const contracts = await sql<ContractRow>`
    select a.customer_id, a.instance_id, a.day::text, c.valid_from::text, trim_scale(c.customer_percent)::text as customer_percent,
      trim_scale(c.partner_percent)::text as partner_percent, trim_scale(c.sc_percent)::text as sc_percent, c.enablers, c.penalty_to
    from ${days} cross join lateral (
      select * from instance_contract c where c.customer_id = a.customer_id and c.instance_id = a.instance_id
        and c.valid_from <= a.day and (c.valid_to is null or c.valid_to > a.day) order by c.valid_from desc
        limit 1) c`.execute(tx)
  const stored = await sql<InstanceDay & StoredVersion>`
    select s.customer_id, s.instance_id, s.day::text, s.product, s.version, s.is_closed, s.is_result_fetched,
      s.energy_state, s.inputs_sha256, jsonb_build_object('capacity_eur', s.capacity_eur::text, 'penalty_eur', s.penalty_eur::text,
        'gross_eur', s.gross_eur::text, 'customer_eur', s.customer_eur::text, 'partner_eur', s.partner_eur::text,
        'sc_eur', s.sc_eur::text, 'enablers', s.enablers) as amounts
    from ${days} join settlement s using (customer_id, instance_id, day)`.execute(tx)
  const replaced = await sql<InstanceDay & { product: string; version: number }>`
    select r.customer_id, r.instance_id, r.day::text, r.product, max(r.version) as version
    from ${days} join settlement_revision r using (customer_id, instance_id, day) group by 1, 2, 3, 4`.execute(tx)
  const signals = await sql<{ customer_id: string; instance_id: string; nos: Record<string, number> }>`
    select s.customer_id, s.instance_id, jsonb_object_agg(s.kind, s.no) as nos
    from (select distinct customer_id, instance_id from ${days}) a join signal s using (customer_id, instance_id)
    group by 1, 2`.execute(tx)

  const withEnergy = new Set(bids.rows.filter(({ market, won }) => won && energyPriced(market)).map(keyOf))
  const paid = all.filter((due) => withEnergy.has(keyOf(due)))
  const energyPrices = await readEnergyPrices(tx, paid)
  const spans = paid.map(({ customer_id, instance_id, day }) => ({
    customerId: customer_id,
    instanceId: instance_id,
    ...dayBounds(day),
  }))
  const tests = paid.length > 0 ? await findTests(tx, spans) : []

  const bidsOf = Map.groupBy(bids.rows, keyOf)
  const testsOf = new Map(paid.map((due, i) => [keyOf(due), tests[i] ?? []]))
  const storedOf = Map.groupBy(stored.rows, keyOf)
  const replacedOf = Map.groupBy(replaced.rows, keyOf)
  const contractOf = new Map(
    contracts.rows.map((row) => [keyOf(row), toContract(row)] as const).filter(([, contract]) => isWhole(contract)),
  )
  const nosOf = new Map(signals.rows.map(({ instance_id, nos }) => [instance_id, nos]))
  return all.map((due) => {
    const nos = nosOf.get(due.instance_id)
    const byProduct = Map.groupBy(bidsOf.get(keyOf(due)) ?? [], ({ product }) => product)
    return {
      due,
      signals: {
        power: nos?.['power'] ?? null,
        capacityUp: nos?.['capacityUp'] ?? null,
        capacityDown: nos?.['capacityDown'] ?? null,
        setPoint: nos?.['setPoint'] ?? null,
      },
      products: [...byProduct].map(([product, rows]) => ({
        product,
        market: rows[0]?.market ?? product,
        bids: rows.map(toResult),
      })),
      contract: contractOf.get(keyOf(due)) ?? null,
      energyPrices: energyPrices.get(keyOf(due)) ?? new Map<string, string>(),
      tests: testsOf.get(keyOf(due)) ?? [],
      stored: storedOf.get(keyOf(due)) ?? [],
      replaced: new Map((replacedOf.get(keyOf(due)) ?? []).map(({ product, version }) => [product, version])),
    }
  })
}

type Key = InstanceDay & { product: string }

const key = ['customer_id', 'instance_id', 'day', 'product'] as const

const written = [
  ...(['market', 'version', 'made_at', 'is_closed', 'is_result_fetched', 'won_mw', 'capacity_eur'] as const),
  ...(['penalty_eur', 'gross_eur', 'energy_eur', 'energy_state', 'customer_eur', 'partner_eur', 'sc_eur'] as const),
  ...(['enablers', 'inputs', 'inputs_sha256'] as const),
]

const allColumns = sql.join([...key, ...written].map((column) => sql.ref(column)))

const keysTable = (rows: readonly Key[]): RawBuilder<unknown> => {
  const keys = rows.map(({ customer_id, instance_id, day, product }) => ({ customer_id, instance_id, day, product }))
  return sql`jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k(customer_id uuid, instance_id uuid, day date, product text)`
}

export const keepRevisions = async (tx: Tx, replaced: readonly Key[], at: Date): Promise<void> => {
  await sql`
    insert into settlement_revision (${allColumns}, replaced_at) select ${allColumns}, ${at} from settlement s
    join ${keysTable(replaced)} using (customer_id, instance_id, day, product)`.execute(tx)
}

export const removeSettlements = async (tx: Tx, keys: readonly Key[]): Promise<void> => {
  await sql`
    delete from settlement s using ${keysTable(keys)}
    where (s.customer_id, s.instance_id, s.day, s.product) = (k.customer_id, k.instance_id, k.day, k.product)`.execute(
    tx,
  )
  await markStatements(tx, keys)
}

export const saveSettlements = async (tx: Tx, rows: readonly SettlementRow[]): Promise<void> => {
  await sql`${insertRows('settlement', rows)} on conflict (customer_id, instance_id, day, product) do update
    set ${sql.join(written.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`))}`.execute(tx)
  await markStatements(tx, rows)
}

export const markStatements = async (tx: Tx, settlements: readonly Key[]): Promise<void> => {
  const rows = await sqlRows<Marks['reconciliation_due']>(tx)`
    select distinct k.customer_id, s.statement_id, k.instance_id, k.day::text, k.product from ${keysTable(settlements)}
    join operator_statement s on s.customer_id = k.customer_id
      and k.day between s.first_day and s.last_day and k.product = any(s.products)`
  addMarks(tx, 'reconciliation_due', rows)
}

export const findDue = (tx: Tx, { quietMs, most }: { quietMs: number; most: number }): Promise<Due[]> =>
  sqlRows<Due>(tx)`
    select customer_id, instance_id, day::text, mark::text from settlement_due
    where marked_at <= now() - ${`${quietMs} ms`}::interval 
    order by date_trunc('month', day) desc, customer_id, instance_id, day desc limit ${most}`

export const removeDue = async (tx: Tx, due: readonly Due[]): Promise<Due[]> => {
  const rows = await sqlRows<InstanceDay>(tx)`
    delete from settlement_due d using ${daysTable(due)}
    where d.customer_id = a.customer_id and d.instance_id = a.instance_id and d.day = a.day and d.mark = a.mark
    returning d.customer_id, d.instance_id, d.day::text`
  const removed = new Set(rows.map(keyOf))
  return due.filter((one) => removed.has(keyOf(one)))
}

export const postponeDue = async (tx: Tx, due: Due): Promise<void> => {
  await sql`
    update settlement_due d set marked_at = now() + interval '1 hour' from ${daysTable([due])}
    where d.customer_id = a.customer_id and d.instance_id = a.instance_id and d.day = a.day
      and d.mark = a.mark`.execute(tx)
}

export const markEnded = async (tx: Tx, before: LocalDate): Promise<void> => {
  const rows = await sqlRows<Marks['settlement_due']>(tx)`
    select distinct s.customer_id, s.instance_id, s.day::text from settlement s
    where not s.is_closed and s.day < ${before}::date and not exists (select from settlement_due d
      where d.customer_id = s.customer_id and d.instance_id = s.instance_id and d.day = s.day)`
  addMarks(tx, 'settlement_due', rows)
}

export const markMeasured = async (tx: Tx, days: readonly { no: number; day: LocalDate }[]): Promise<void> => {
  const rows = await sqlRows<Marks['settlement_due']>(tx)`
    select distinct t.customer_id, t.instance_id, t.day::text
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as m(no int, day date)
    join signal s on s.no = m.no and s.kind in ('power', 'capacityUp', 'capacityDown', 'setPoint')
    join settlement t on t.customer_id = s.customer_id and t.instance_id = s.instance_id
      and t.day = m.day and t.is_closed`
  addMarks(tx, 'settlement_due', rows)
}

export const markContracts = async (tx: Tx, customerId: string, instanceIds: readonly string[]): Promise<void> => {
  const rows = await sqlRows<Marks['settlement_due']>(tx)`
    select distinct customer_id, instance_id, day::text from bid
    where customer_id = ${customerId} and instance_id = any(${instanceIds}::uuid[])`
  addMarks(tx, 'settlement_due', rows)
}

export const getWatermark = async (tx: Tx): Promise<number | null> => {
  const row = await tx.selectFrom('settlement_watermark').select('readings_version').executeTakeFirst()
  return row?.readings_version ?? null
}

export const saveWatermark = async (tx: Tx, version: number): Promise<void> => {
  await sql`insert into settlement_watermark (readings_version) values (${version})
    on conflict (is_one) do update set readings_version = excluded.readings_version`.execute(tx)
}
