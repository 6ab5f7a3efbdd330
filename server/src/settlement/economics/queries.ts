import { simulatedOf, type SimulatedSum } from '@gridmast/contract/source.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { getLicence } from '#access/licence.ts'
import { notFound } from '#platform/http/errors.ts'
import { byName, type ListPage, orderBy } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, getRow, selectRows } from '#platform/records/rows.ts'
import type { SettlementRow } from './settle.ts'

export type Filter = {
  startDate: LocalDate
  endDate: LocalDate
  products: readonly string[]
  licenseId?: string | undefined
  instanceId?: string | undefined
}

const text = (column: string) => sql`${sql.ref(column)}::text as ${sql.ref(column)}`
const numbers = sql.join([
  sql`trim_scale(won_mw)::text as won_mw`,
  ...['capacity_eur', 'penalty_eur', 'gross_eur', 'energy_eur', 'customer_eur', 'partner_eur', 'sc_eur'].map(text),
])

export const matching = ({ startDate, endDate, products, licenseId, instanceId }: Filter) => {
  const conditions = [
    sql`s.day >= ${startDate}::date and s.day <= ${endDate}::date`,
    products.length > 0 && sql`s.product = any(${products})`,
    instanceId && sql`s.instance_id = ${instanceId}`,
    licenseId &&
      sql`exists (select from instance l
        where l.customer_id = s.customer_id and l.instance_id = s.instance_id and l.licence_id = ${licenseId})`,
  ]
  return sql.join(
    conditions.filter((condition) => condition),
    sql` and `,
  )
}

/** Joined only for the list: for sums over a month of 50,000 it would be a third of the time. */
const ofInstances = sql`join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id`
const from = (customerId: string, filter: Filter, join = sql``) => sql`
  from settlement s ${join} where s.customer_id = ${customerId} and ${matching(filter)}`

export type SettlementOfInstance = Omit<SettlementRow, 'customer_id' | 'inputs_sha256'> & {
  instance_name: string
  simulated: boolean
}

type After = Pick<SettlementOfInstance, 'day' | 'instance_name' | 'product' | 'instance_id'>
type Page = ListPage<keyof typeof sortColumns, After>

const sortColumns = {
  date: sql`s.day`,
  instance: byName(sql`i.name`),
  type: sql`s.product`,
  // The largest bid until the results are published.
  capacity: sql`case when s.is_result_fetched or s.won_mw > 0 then s.won_mw
    else (select max((b ->> 'capacityMw')::numeric) from jsonb_array_elements(s.inputs -> 'bids') b) end`,
  customer: sql`s.customer_eur`,
  partner: sql`s.partner_eur`,
  enablers: sql`case when s.enablers is not null then (select coalesce(sum(x.value::numeric), 0) from jsonb_each_text(s.enablers) x) end`,
  sc: sql`s.sc_eur`,
  energy: sql`s.energy_eur`,
  // No bid, no result, lost, won.
  status: sql`(select case when bids = '[]' then 0 when bids @> '[{"won": null}]' then 1 when bids @> '[{"won": true}]' then 3 else 2 end
    from (select s.inputs -> 'bids' as bids offset 0) read)`,
}

export const findSettlements = async (
  tx: Tx,
  customerId: string,
  filter: Filter,
  { limit, skip = 0, after, ...sort }: Page,
): Promise<SettlementOfInstance[]> => {
  const beyond = after
    ? sql`and (s.day < ${after.day}::date or (s.day = ${after.day}::date
        and (${byName(sql`i.name`)}, s.product, s.instance_id) > (${byName(sql`${after.instance_name}::text`)}, ${after.product}, ${after.instance_id}::uuid)))`
    : sql``
  return sqlRows<SettlementOfInstance>(tx)`
    select s.instance_id, i.name as instance_name, s.day::text as day, s.product, s.market, s.version, s.made_at, s.is_closed,
      s.is_result_fetched, s.energy_state, s.enablers, s.inputs, ${numbers},
      (select e.simulated from edge e where e.customer_id = s.customer_id and e.edge_id = i.edge_id) as simulated
    ${from(customerId, filter, ofInstances)} ${beyond}
    order by ${orderBy(sort, sortColumns, sql`s.day desc, ${byName(sql`i.name`)}, s.product, s.instance_id`)}
    limit ${limit} offset ${skip}`
}

type Totals = {
  count: number
  unpublished: number
  unshared: number
  customer: string | null
  partner: string | null
  sc: string | null
  energy: string | null
  energyUnknown: number
  /** The customer's share of the days from `now` on, excluded from the other sums; null when all are unknown. */
  expected: string | null
}

export const sumSettlements = async (tx: Tx, customerId: string, filter: Filter, now?: LocalDate): Promise<Totals> => {
  const isOver = now === undefined ? sql`true` : sql`s.day < ${now}::date`
  const ofOver = (column: string) => sql`sum(${sql.ref(column)}) filter (where ${isOver})`
  const sum = (column: string) => sql`coalesce(${ofOver(column)}, 0.00)::text`
  const share = (column: string) => sql`case when count(*) = 0 then '0.00' else (${ofOver(column)})::text end`
  const rows = await sqlRows<Totals>(tx)`
    select count(*)::int as count, count(*) filter (where not s.is_result_fetched)::int as unpublished,
      count(*) filter (where s.gross_eur is not null and s.customer_eur is null)::int as unshared,
      ${share('s.customer_eur')} as customer, ${share('s.partner_eur')} as partner, ${share('s.sc_eur')} as sc,
      case when bool_or(${isOver} and s.energy_state in ('open', 'unknown')) and not bool_or(${isOver} and s.energy_state = 'known' and s.won_mw > 0)
        then null else ${sum('s.energy_eur')} end as energy,
      (sum(s.customer_eur) filter (where not ${isOver}))::text as expected,
      count(*) filter (where s.energy_state in ('open', 'unknown'))::int as "energyUnknown"
    ${from(customerId, filter)}`
  const [sums] = rows
  if (!sums) throw new Error('an aggregate without groups has one row')
  return sums
}

export const sumEnablers = async (tx: Tx, customerId: string, filter: Filter, now: LocalDate) => {
  const rows = await sqlRows<{ name: string; eur: string }>(tx)`
    select x.key as name, sum(x.value::numeric)::text as eur
    from (select s.enablers ${from(customerId, filter)} and s.day < ${now}::date and s.enablers <> '{}') f, jsonb_each_text(f.enablers) x
    group by 1 order by 1`
  return Object.fromEntries(rows.map(({ name, eur }) => [name, eur]))
}

export type RevenueOfDay = {
  day: LocalDate
  revenue: string | null
  unpublished: number
  isSimulated: boolean
  isAllSimulated: boolean
}

export const findDays = (tx: Tx, customerId: string, { startDate, endDate }: Pick<Filter, 'startDate' | 'endDate'>) =>
  sqlRows<RevenueOfDay>(tx)`
    select s.day::text as day, sum(s.customer_eur)::text as revenue, count(*) filter (where not s.is_result_fetched)::int as unpublished,
      bool_or(e.simulated) as "isSimulated", bool_and(e.simulated) as "isAllSimulated"
    from settlement s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
    join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    where s.customer_id = ${customerId} and s.day >= ${startDate}::date and s.day <= ${endDate}::date
    group by s.day order by s.day`

export const findInstances = (tx: Tx, customerId: string, licenceId?: string) =>
  selectRows(tx, customerId, 'instance')
    .select(['instance_id', 'name', 'licence_id'])
    .$if(licenceId !== undefined, (of) => of.where('licence_id', '=', licenceId ?? ''))
    .where((is) =>
      is.or([
        is(sql<number>`cardinality(markets)`, '>', 0),
        is.exists(
          is
            .selectFrom('settlement as s')
            .select('s.day')
            .whereRef('s.customer_id', '=', 'instance.customer_id')
            .whereRef('s.instance_id', '=', 'instance.instance_id'),
        ),
      ]),
    )
    .orderBy('position')
    .orderBy(byName(sql`name`))
    .execute()

export const checkInstance = (tx: Tx, customerId: string, instanceId: string) =>
  getRow(tx, customerId, 'instance', { instance_id: instanceId }, ['instance_id'])

/** Security: a requested licence or instance must belong to the customer. */
export const checkFilter = async (tx: Tx, customerId: string, { licenseId, instanceId }: Partial<Filter>) => {
  if (licenseId) await getLicence(tx, customerId, licenseId)
  if (instanceId) await checkInstance(tx, customerId, instanceId)
}

export const simulatedIn = async (tx: Tx, customerId: string, filter: Filter): Promise<SimulatedSum> => {
  const rows = await sqlRows<{ simulated: boolean }>(tx)`
    select distinct e.simulated from instance i join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    where i.customer_id = ${customerId} and exists (
      select from settlement s where s.customer_id = i.customer_id and s.instance_id = i.instance_id
      and ${matching(filter)})`
  return simulatedOf(rows.map(({ simulated }) => simulated))
}

type Key = { instanceId: string; date: LocalDate; type: string }
export type SettlementVersion = Omit<SettlementRow, 'customer_id' | 'inputs_sha256'>

export const getVersions = async (tx: Tx, customerId: string, { instanceId, date, type }: Key) => {
  const columns = sql`s.instance_id, s.day::text as day, s.product, s.market, s.version, s.made_at, s.is_closed, s.is_result_fetched,
    s.energy_state, s.enablers, s.inputs, ${numbers}`
  const where = sql`where s.customer_id = ${customerId} and s.instance_id = ${instanceId} and s.day = ${date}::date and s.product = ${type}`
  const rows = await sqlRows<SettlementVersion>(tx)`
    select ${columns} from settlement s ${where} union all select ${columns} from settlement_revision s ${where}
    order by version desc limit 200`
  if (rows.length === 0) throw notFound()
  return rows
}
