import { type SignalKind, signalKinds } from '@gridmast/contract/live.ts'
import type { DurationClass, EventType } from '@gridmast/contract/events.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'

const eventsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('event as e')
    .innerJoin('instance as i', (join) =>
      join.onRef('i.customer_id', '=', 'e.customer_id').onRef('i.instance_id', '=', 'e.instance_id'),
    )
    .innerJoin('edge as g', (join) =>
      join.onRef('g.customer_id', '=', 'i.customer_id').onRef('g.edge_id', '=', 'i.edge_id'),
    )
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
  duration?: DurationClass | undefined
}

const durations: Record<DurationClass, ReturnType<typeof sql<boolean>>> = {
  'under-1': sql<boolean>`e.duration_s < 60`,
  '1-5': sql<boolean>`e.duration_s >= 60 and e.duration_s < 300`,
  '5-15': sql<boolean>`e.duration_s >= 300 and e.duration_s <= 900`,
  'over-15': sql<boolean>`e.duration_s > 900`,
}

/** All conditions but the customer's. */
const matching = (filter: Filter) => {
  const { fromMs, toMs, market, eventType, licenseId, instanceId, direction, deltaLoad, duration } = filter
  const conditions = [
    sql<boolean>`e.started_at >= ${new Date(fromMs)} and e.started_at < ${new Date(toMs)}`,
    ...(market === undefined ? [] : [sql<boolean>`e.market = ${market}`]),
    ...(eventType === undefined ? [] : [sql<boolean>`e.event_type = ${eventType}`]),
    ...(instanceId === undefined ? [] : [sql<boolean>`e.instance_id = ${instanceId}`]),
    ...(licenseId === undefined
      ? []
      : [
          sql<boolean>`exists (select from instance l where l.customer_id = e.customer_id and l.instance_id = e.instance_id and l.licence_id = ${licenseId})`,
        ]),
    ...(direction === undefined ? [] : [sql<boolean>`e.direction = ${direction}`]),
    ...(deltaLoad === undefined
      ? []
      : [sql<boolean>`e.delta_load >= ${deltaLoad} and e.delta_load < ${deltaLoad + 20}`]),
    ...(duration === undefined ? [] : [durations[duration]]),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

type Page = { limit: number; skip?: number; after?: { started_at: Date; event_id: string } | undefined }

/** Newest first. */
export const findEvents = (tx: Tx, customerId: string, filter: Filter, { limit, skip = 0, after }: Page) =>
  eventsOf(tx, customerId)
    .where(matching(filter))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(e.started_at < ${after?.started_at} or (e.started_at = ${after?.started_at} and e.event_id > ${after?.event_id}))`,
      ),
    )
    .orderBy('e.started_at', 'desc')
    .orderBy('e.event_id')
    .limit(limit)
    .offset(skip)
    .execute()
export type EventRow = Awaited<ReturnType<ReturnType<typeof eventsOf>['execute']>>[number]

/** Over all that match, whatever the page. */
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
  { market, instanceId }: { market?: string | undefined; instanceId?: string | undefined },
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

/** 404 when it is not this customer's. */
export const getEvent = async (tx: Tx, customerId: string, eventId: string): Promise<EventRow> => {
  const found = await eventsOf(tx, customerId).where('e.event_id', '=', eventId).executeTakeFirst()
  if (!found) throw notFound()
  return found
}

export const findCommands = (tx: Tx, customerId: string, instanceId: string, { fromMs, toMs }: Span) =>
  tx
    .selectFrom('command_log')
    .select(['at', 'device_id', 'command'])
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .where('at', '>=', new Date(fromMs))
    .where('at', '<', new Date(toMs))
    .orderBy('at')
    .orderBy('device_id')
    .orderBy('command')
    .execute()

/** Markets of the enabled instances, of those of a licence, or of one; 404 when that licence or instance is not this customer's. */
export const findMarkets = async (
  tx: Tx,
  customerId: string,
  { licenseId, instanceId }: { licenseId?: string | undefined; instanceId?: string | undefined } = {},
): Promise<string[]> => {
  if (licenseId !== undefined) await getLicence(tx, customerId, licenseId)
  const found = await tx
    .selectFrom('instance')
    .select(['markets', 'enabled'])
    .where('customer_id', '=', customerId)
    .$if(licenseId !== undefined, (query) => query.where('licence_id', '=', licenseId ?? ''))
    .$if(instanceId !== undefined, (query) => query.where('instance_id', '=', instanceId ?? ''))
    .execute()
  if (instanceId !== undefined && found.length === 0) throw notFound()
  return found.filter(({ enabled }) => enabled || instanceId !== undefined).flatMap(({ markets }) => markets)
}

const getLicence = async (tx: Tx, customerId: string, licenceId: string) => {
  const found = await tx
    .selectFrom('licence')
    .select('licence_id')
    .where('customer_id', '=', customerId)
    .where('licence_id', '=', licenceId)
    .executeTakeFirst()
  if (!found) throw notFound()
}

export type Numbers = Partial<Record<SignalKind, number>>
export type Measuring = {
  customerId: string
  instanceId: string
  name: string
  simulated: boolean
  capacityKw: number
  nos: Numbers
}

/** An instance with the numbers of its series (security rule T3); 404 when it is not this customer's. */
export const getMeasuring = async (tx: Tx, customerId: string, instanceId: string): Promise<Measuring> => {
  const rows = await tx
    .selectFrom('instance as i')
    .innerJoin('edge as g', (join) =>
      join.onRef('g.customer_id', '=', 'i.customer_id').onRef('g.edge_id', '=', 'i.edge_id'),
    )
    .leftJoin('signal as s', (join) =>
      join.onRef('s.customer_id', '=', 'i.customer_id').onRef('s.instance_id', '=', 'i.instance_id'),
    )
    .select(['i.name', 'i.flexible_kw', 'g.simulated', 's.kind', 's.no'])
    .where('i.customer_id', '=', customerId)
    .where('i.instance_id', '=', instanceId)
    .execute()
  const [first] = rows
  if (!first) throw notFound()
  const nos: Numbers = {}
  for (const { kind, no } of rows) {
    const known = signalKinds.find((one) => one === kind)
    if (known && no !== null) nos[known] = no
  }
  const { name, simulated, flexible_kw } = first
  return { customerId, instanceId, name, simulated, capacityKw: Number(flexible_kw), nos }
}
