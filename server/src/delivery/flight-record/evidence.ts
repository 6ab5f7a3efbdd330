import type { LocalDate, Span } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { publishedAs } from '#grid/published/published-prices.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

type Subject = { customerId: string; instanceId: string }

const decimal = (column: string) => sql`trim_scale(${sql.ref(column)})::text`
const instant = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const at = (column: string) => instant(sql.ref(column))

type EvidenceRow = Record<string, unknown>

const inSpan = ({ customerId, instanceId }: Subject, { fromMs, toMs }: Span) => sql`
  b.customer_id = ${customerId} and b.instance_id = ${instanceId} and b.starts_at < ${new Date(toMs)} and b.ends_at > ${new Date(fromMs)}`

const readBids = (tx: Tx, of: Subject, span: Span): Promise<EvidenceRow[]> =>
  sqlRows<EvidenceRow>(tx)`
    select b.market, b.product, b.auction, ${at('b.starts_at')} as "from", ${at('b.ends_at')} as "to", b.day::text as day, b.slot,
      ${decimal('b.capacity_mw')} as "bidMw", ${decimal('b.price_eur')} as "bidEur", ${decimal('b.regulation_price_eur')} as "energyBidEur",
      ${at('b.sent_at')} as "sentAt", b.won, ${decimal('b.won_mw')} as "wonMw", ${decimal('b.marginal_price_eur')} as "marginalEur",
      b.decided_by as "decidedBy"
    from bid b where ${inSpan(of, span)} order by b.product, b.starts_at, b.auction`

const readPrices = (tx: Tx, of: Subject, span: Span): Promise<EvidenceRow[]> =>
  sqlRows<EvidenceRow>(tx)`
    with bids as materialized (
      select distinct b.product, b.auction, b.starts_at, b.ends_at, i.area
      from bid b join instance i on i.customer_id = b.customer_id and i.instance_id = b.instance_id where ${inSpan(of, span)}),
    -- A look by key for each bid, whatever the store knows of how much it holds: joins took a minute in one that was just filled.
    priced as (
      select p.* from bids b join ${publishedAs} on a.auction = b.auction
      cross join lateral (
        select * from market_price p where p.market = b.product and p.area = b.area and p.product = '' and p.auction = a.published
          and p.starts_at = b.starts_at offset 0) p
      union
      select p.* from bids b cross join (values ('INC'), ('DEC')) as way(name)
      cross join lateral (
        select * from market_price p where p.market = left(b.product, 4) || '-energy-' || way.name and p.area = b.area
          and p.product = '' and p.auction = '' and p.starts_at >= b.starts_at and p.starts_at < b.ends_at offset 0) p
      where left(b.product, 4) in ('aFRR', 'mFRR'))
    select p.market, p.area, p.auction, ${at('p.starts_at')} as "from", p.duration_s as "seconds", ${decimal('p.price_eur')} as eur,
      p.unit, p.source, p.simulated, ${at('p.fetched_at')} as "readAt",
      (select coalesce(jsonb_agg(jsonb_build_object('eur', ${decimal('r.price_eur')}, 'readAt', ${at('r.fetched_at')},
          'replacedAt', ${at('r.replaced_at')}) order by r.replaced_at), '[]')
        from market_price_revision r where (r.market, r.area, r.product, r.auction, r.starts_at)
          = (p.market, p.area, p.product, p.auction, p.starts_at)) as revisions
    from priced p order by p.market, p.starts_at, p.auction`

const readContracts = (tx: Tx, { customerId, instanceId }: Subject, days: readonly LocalDate[]) =>
  sqlRows<EvidenceRow>(tx)`
    select c.valid_from::text as "validFrom", c.valid_to::text as "validTo", ${decimal('c.customer_percent')} as customer,
      ${decimal('c.partner_percent')} as partner, ${decimal('c.sc_percent')} as sc, c.enablers, c.penalty_to as "penaltyTo"
    from instance_contract c
    where c.customer_id = ${customerId} and c.instance_id = ${instanceId} and exists (
      select from unnest(${days}::date[]) as day where c.valid_from <= day and (c.valid_to is null or c.valid_to > day))
    order by c.valid_from`

const readSettlements = async (tx: Tx, { customerId, instanceId }: Subject, days: readonly LocalDate[]) => {
  const of = (table: 'settlement' | 'settlement_revision') => sql`
    select s.day, s.product, s.version, s.made_at, s.is_closed, s.is_result_fetched, s.won_mw, s.capacity_eur, s.penalty_eur, s.gross_eur,
      s.energy_eur, s.energy_state, s.customer_eur, s.partner_eur, s.sc_eur, s.enablers, s.inputs_sha256
    from ${sql.table(table)} s where s.customer_id = ${customerId} and s.instance_id = ${instanceId} and s.day = any(${days}::date[])`
  return sqlRows<EvidenceRow>(tx)`
    select s.day::text as day, s.product, s.version, ${at('s.made_at')} as "madeAt", s.is_closed as "isClosed",
      s.is_result_fetched as "isResultFetched", ${decimal('s.won_mw')} as "wonMw", s.capacity_eur::text as "capacityEur",
      s.penalty_eur::text as "penaltyEur", s.gross_eur::text as "grossEur", s.energy_eur::text as "energyEur", s.energy_state as "energyState",
      s.customer_eur::text as "customerEur", s.partner_eur::text as "partnerEur", s.sc_eur::text as "scEur", s.enablers,
      s.inputs_sha256 as "inputsSha256"
    from (${of('settlement')} union all ${of('settlement_revision')}) s
    order by s.day, s.product, s.version`
}

const readInstance = async (tx: Tx, { customerId, instanceId }: Subject): Promise<EvidenceRow> => {
  const rows = await sqlRows<EvidenceRow>(tx)`
    select c.name as customer, i.name as instance, i.instance_id::text as "instanceId", i.area, trim_scale(i.flexible_kw)::text as "flexibleKw",
      e.simulated
    from instance i join customer c on c.customer_id = i.customer_id
    join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    where i.customer_id = ${customerId} and i.instance_id = ${instanceId}`
  return rows[0] ?? {}
}

export const readEvidence = async (tx: Tx, of: Subject, span: Span, days: readonly LocalDate[]) => ({
  about: await readInstance(tx, of),
  parts: [
    { part: 'bids', bids: await readBids(tx, of, span) },
    { part: 'prices', prices: await readPrices(tx, of, span) },
    { part: 'contract', contracts: await readContracts(tx, of, days) },
    { part: 'settlement versions', settlements: await readSettlements(tx, of, days) },
  ],
})
