import { type SignalKind, signalKinds } from '@gridmast/contract/live.ts'
import type { DurationClass } from '@gridmast/contract/delivery/events.ts'
import type { EventType } from '@gridmast/contract/markets.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import { byName, type ListPage, orderBy, type Paged } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, countRows, getRow, selectRows, onKey } from '#platform/records/rows.ts'

const eventsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('event as e')
    .innerJoin('instance as i', onKey('i', 'e', 'instance_id'))
    .innerJoin('edge as g', onKey('g', 'i', 'edge_id'))
    .leftJoin('edge_event as r', (join) =>
      join.onRef('r.customer_id', '=', 'e.customer_id').onRef('r.event_id', '=', 'e.edge_event_id'),
    )
    .selectAll('e')
    .select(['i.name as instance_name', 'g.simulated'])
    .select(['r.started_at as edge_started_at', 'r.ended_at as edge_ended_at'])
    .select(['r.max_set_point as edge_max_set_point', 'r.external_frequency_hz as edge_hz'])
    .where('e.customer_id', '=', customerId)

export type Filter = Span & {
  market?: string | undefined
  eventType?: EventType | undefined
  licenseId?: string | undefined
  instanceId?: string | undefined
  direction?: string | undefined
  deltaLoad?: number | undefined
  leastDeltaLoad?: number | undefined
  duration?: DurationClass | undefined
}

const durations: Record<DurationClass, ReturnType<typeof sql<boolean>>> = {
  'under-1': sql<boolean>`e.duration_s < 60`,
  '1-5': sql<boolean>`e.duration_s >= 60 and e.duration_s < 300`,
  '5-15': sql<boolean>`e.duration_s >= 300 and e.duration_s <= 900`,
  'over-15': sql<boolean>`e.duration_s > 900`,
}

const matching = (filter: Filter) => {
  const { fromMs, toMs, market, eventType, licenseId, instanceId, direction, deltaLoad, leastDeltaLoad, duration } =
    filter
  const conditions = [
    sql<boolean>`e.started_at >= ${new Date(fromMs)} and e.started_at < ${new Date(toMs)}`,
    market && sql<boolean>`e.market = ${market}`,
    eventType && sql<boolean>`e.event_type = ${eventType}`,
    instanceId && sql<boolean>`e.instance_id = ${instanceId}`,
    licenseId &&
      sql<boolean>`exists (select from instance l
        where l.customer_id = e.customer_id and l.instance_id = e.instance_id and l.licence_id = ${licenseId})`,
    direction && sql<boolean>`e.direction = ${direction}`,
    deltaLoad === undefined ? undefined : sql<boolean>`e.delta_load >= ${deltaLoad}`,
    // An event that only the edge reported has no percentage: it is unknown and stays in the result.
    leastDeltaLoad === undefined ? undefined : sql<boolean>`coalesce(e.delta_load, 100) >= ${leastDeltaLoad}`,
    duration && durations[duration],
  ]
  return sql<boolean>`${sql.join(
    conditions.filter((condition) => condition),
    sql` and `,
  )}`
}

const sortColumns = {
  start: sql`e.started_at`,
  market: sql`e.market`,
  instance: byName(sql`i.name`),
  direction: sql`e.direction`,
  deltaLoad: sql`e.delta_load`,
  delivered: sql`e.processed_delta_load`,
  extreme: sql`case when e.event_type = 'frr_based' then e.max_set_point else e.extreme_hz end`,
  duration: sql`e.duration_s`,
  consumption: sql`e.consumption_kwh`,
  score: sql`e.score`,
  capacity: sql`e.capacity_kw`,
}
type Page = ListPage<keyof typeof sortColumns, { started_at: Date; event_id: string }>

export const findEvents = (tx: Tx, customerId: string, filter: Filter, { limit, skip = 0, after, ...sort }: Page) =>
  eventsOf(tx, customerId)
    .where(matching(filter))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(e.started_at < ${after?.started_at} or (e.started_at = ${after?.started_at} and e.event_id > ${after?.event_id}))`,
      ),
    )
    .orderBy(orderBy(sort, sortColumns, sql`e.started_at desc, e.event_id`))
    .limit(limit)
    .offset(skip)
    .execute()
export type EventRow = Awaited<ReturnType<ReturnType<typeof eventsOf>['execute']>>[number]

/** Activations of a market in one direction that begin within this time are one disturbance: the frequency is the same for all. */
const togetherS = 10

const percentOfAll = (column: RawBuilder<unknown>) => sql`case when count(*) = 1 then min(${column})
  when bool_and(${column} is not null) then sum(${column} * capacity_kw) / nullif(sum(capacity_kw), 0) end`

const disturbanceColumns: Record<keyof typeof sortColumns, RawBuilder<unknown>> = {
  start: sql`min(started_at)`,
  market: sql`market`,
  instance: sql`lpad(count(*)::text, 6, '0') || min(${byName(sql`instance_name`)})`,
  direction: sql`direction`,
  deltaLoad: percentOfAll(sql`delta_load`),
  delivered: percentOfAll(sql`processed_delta_load`),
  extreme: sql`case when min(event_type) = 'frr_based' then max(max_set_point)
    when direction = 'increased' then min(extreme_hz) else max(extreme_hz) end`,
  duration: sql`max(duration_s)`,
  consumption: sql`case when bool_and(consumption_kwh is not null) then sum(consumption_kwh) end`,
  score: sql`min(score)`,
  capacity: sql`sum(capacity_kw)`,
}

export const findDisturbances = async (
  tx: Tx,
  customerId: string,
  filter: Filter,
  { limit, skip, sort, order }: Paged<keyof typeof sortColumns>,
): Promise<{ total: number; ids: string[][] }> => {
  const value = disturbanceColumns[sort ?? 'start']
  const ordered = orderBy(
    sort ? { sort: 'value', ...(order ? { order } : {}) } : {},
    { value: sql`value` },
    sql`at desc, market, direction`,
  )
  const rows = await sqlRows<{ total: number; ids: string[][] | null }>(tx)`
    with marked as (
      select e.event_id, e.market, e.direction, e.started_at, e.event_type, e.delta_load, e.processed_delta_load, e.max_set_point,
        e.extreme_hz, e.duration_s, e.consumption_kwh, e.score, e.capacity_kw, i.name as instance_name, case
          when e.started_at <= lag(e.started_at) over (partition by e.market, e.direction order by e.started_at, e.event_id) + ${togetherS} * interval '1 second'
          then 0 else 1 end as begins
      from event e join instance i on i.customer_id = e.customer_id and i.instance_id = e.instance_id
      where e.customer_id = ${customerId} and ${matching(filter)}),
    numbered as (select *, sum(begins) over (partition by market, direction order by started_at, event_id) as no from marked),
    disturbance as (
      select min(started_at) as at, market, direction, ${value} as value, json_agg(event_id order by started_at, event_id) as ids
      from numbered group by market, direction, no),
    page as (select * from disturbance order by ${ordered} limit ${limit} offset ${skip})
    select (select count(*)::int from disturbance) as total,
      (select json_agg(ids order by ${ordered}) from page) as ids`
  return { total: rows[0]?.total ?? 0, ids: rows[0]?.ids ?? [] }
}

export const findEventsById = (tx: Tx, customerId: string, ids: readonly string[]) =>
  eventsOf(tx, customerId)
    .where(sql<boolean>`e.event_id = any(${ids}::uuid[])`)
    .orderBy('e.started_at', 'desc')
    .orderBy('e.event_id')
    .execute()

export const countSmaller = async (tx: Tx, customerId: string, { leastDeltaLoad, ...filter }: Filter) => {
  if (leastDeltaLoad === undefined) return 0
  const events = tx.selectFrom('event as e').where('e.customer_id', '=', customerId).where(matching(filter))
  return countRows(events.where('e.delta_load', '<', leastDeltaLoad))
}

export const sumUpEvents = (tx: Tx, customerId: string, filter: Filter) =>
  tx
    .selectFrom('event as e')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.min('e.duration_s').as('min'),
      select.fn.avg<number | null>('e.duration_s').as('avg'),
      select.fn.max('e.duration_s').as('max'),
      select.fn.sum<number | null>('e.consumption_kwh').as('consumption'),
    ])
    .where('e.customer_id', '=', customerId)
    .where(matching(filter))
    .executeTakeFirstOrThrow()

export const findRunning = (
  tx: Tx,
  customerId: string,
  { market, instanceId }: Pick<Filter, 'market' | 'instanceId'>,
) =>
  eventsOf(tx, customerId)
    .where('e.is_final', '=', false)
    .where('e.ended_at', 'is', null)
    .where('e.source', '=', 'telemetry')
    .$if(market !== undefined, (query) => query.where('e.market', '=', market ?? ''))
    .$if(instanceId !== undefined, (query) => query.where('e.instance_id', '=', instanceId ?? ''))
    .orderBy('e.started_at', 'desc')
    .limit(100)
    .execute()

export const getEvent = async (tx: Tx, customerId: string, eventId: string): Promise<EventRow> => {
  const of = (id: string) => eventsOf(tx, customerId).where('e.event_id', '=', id).executeTakeFirst()
  const event = (await of(eventId)) ?? (await of(await movedTo(tx, customerId, eventId)))
  if (!event) throw notFound()
  return event
}

const movedTo = async (tx: Tx, customerId: string, eventId: string): Promise<string> => {
  const moved = await getRow(tx, customerId, 'event_moved', { event_id: eventId }, ['moved_to'])
  return moved.moved_to
}

export const findCommands = (tx: Tx, customerId: string, instanceId: string, { fromMs, toMs }: Span) =>
  selectRows(tx, customerId, 'command_log', { instance_id: instanceId })
    .select(['at', 'device_id', 'command'])
    .where('at', '>=', new Date(fromMs))
    .where('at', '<', new Date(toMs))
    .orderBy('at')
    .orderBy('device_id')
    .orderBy('command')
    .execute()

export const findMarkets = async (
  tx: Tx,
  customerId: string,
  { licenseId, instanceId }: Pick<Filter, 'licenseId' | 'instanceId'> = {},
): Promise<string[]> => {
  if (licenseId !== undefined) await getRow(tx, customerId, 'licence', { licence_id: licenseId }, ['licence_id'])
  const instances = await selectRows(tx, customerId, 'instance')
    .select(['markets', 'enabled'])
    .$if(licenseId !== undefined, (query) => query.where('licence_id', '=', licenseId ?? ''))
    .$if(instanceId !== undefined, (query) => query.where('instance_id', '=', instanceId ?? ''))
    .execute()
  if (instanceId !== undefined && instances.length === 0) throw notFound()
  return instances.filter(({ enabled }) => enabled || instanceId !== undefined).flatMap(({ markets }) => markets)
}

export type Numbers = Partial<Record<SignalKind, number>>
export type Measuring = { name: string; simulated: boolean; capacityKw: number; nos: Numbers }

/** Security rule T3. */
export const getMeasuring = async (tx: Tx, customerId: string, instanceId: string): Promise<Measuring> => {
  const rows = await tx
    .selectFrom('instance as i')
    .innerJoin('edge as g', onKey('g', 'i', 'edge_id'))
    .leftJoin('signal as s', onKey('s', 'i', 'instance_id'))
    .select(['i.name', 'i.flexible_kw', 'g.simulated', 's.kind', 's.no'])
    .where('i.customer_id', '=', customerId)
    .where('i.instance_id', '=', instanceId)
    .execute()
  const [first] = rows
  if (!first) throw notFound()
  const nos: Numbers = {}
  for (const { kind, no } of rows) {
    const signalKind = signalKinds.find((one) => one === kind)
    if (signalKind && no !== null) nos[signalKind] = no
  }
  const { name, simulated, flexible_kw } = first
  return { name, simulated, capacityKw: Number(flexible_kw), nos }
}
