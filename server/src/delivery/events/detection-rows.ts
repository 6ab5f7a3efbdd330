import { sqlRows, insertRows, type RowOf } from '#platform/records/rows.ts'
import { type SignalKind, signalKinds } from '@gridmast/contract/live.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { localDateOf, minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { type RawBuilder, sql } from 'kysely'
import { isMailed, mailActivations } from '#people/letters/activation-mail.ts'
import { activationPush, type MailedActivation } from '#people/letters/mails.ts'
import { queuePushes } from '#people/push/queue.ts'
import { isInPartition, type Partition } from '#delivery/instances/partition.ts'
import { findTests } from '#delivery/equipment/manual-set-points.ts'
import type { Tx } from '#platform/records/records.ts'
import { queueWebhooks } from '#platform/messaging/webhook.ts'
import type { App } from '#context.ts'
import type { ActivationSpan, Examined } from './engine.ts'
import type { EventRow, SoldSpan, SpanRows, StoredRow, Watched } from './examine.ts'
import { judgedOf } from './judge.ts'
import { toOutcome, verdictOf } from './to-event.ts'

export type Instance = Watched & { customerId: string; instanceName: string; simulated: boolean }

/**
 * Samples that arrive later than this after the end of an activation, or after themselves while it runs, are history: they create a row and no
 * notification.
 */
const lateMs = 15 * minuteMs

const isSignal = (kind: string): kind is SignalKind => signalKinds.some((one) => one === kind)

export const findWatched = async (tx: Tx, partition: Partition): Promise<Instance[]> => {
  const rows = await sqlRows<{
    customer_id: string
    instance_id: string
    name: string
    markets: string[]
    flexible_kw: string
    simulated: boolean
    market_since: Record<string, string>
    nos: Record<string, number>
  }>(tx)`
    select i.customer_id, i.instance_id, i.name, i.markets, i.flexible_kw, i.market_since, e.simulated, jsonb_object_agg(s.kind, s.no) as nos
    from instance i
    join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    join signal s on s.customer_id = i.customer_id and s.instance_id = i.instance_id
    where i.enabled and i.bid_active and ${isInPartition('e.key', partition)}
    group by i.customer_id, i.instance_id, e.customer_id, e.edge_id`
  return rows.flatMap((row) =>
    row.markets.filter(isMarket).map((market) => ({
      customerId: row.customer_id,
      instanceId: row.instance_id,
      instanceName: row.name,
      market,
      simulated: row.simulated,
      capacityKw: Number(row.flexible_kw),
      sinceMs: Date.parse(row.market_since[market] ?? '') || -Infinity,
      nos: Object.fromEntries(Object.entries(row.nos).filter(([kind]) => isSignal(kind))),
    })),
  )
}

type SpanColumns = Pick<RowOf<'event'>, 'instance_id' | 'market' | 'direction' | 'started_at' | 'ended_at'>

const activationSpan = (row: SpanColumns): ActivationSpan => ({
  instanceId: row.instance_id,
  market: row.market,
  ...judgedOf(row),
})

const spanColumns = ['instance_id', 'market', 'direction', 'started_at', 'ended_at'] as const

export const findUnfinished = async (tx: Tx) => {
  const events = await tx.selectFrom('event').select(spanColumns).where('is_final', '=', false).execute()
  return events.map(activationSpan)
}

export const findReportedSince = async (tx: Tx, sinceMs: number) => {
  const reports = tx.selectFrom('edge_event').select(spanColumns).where('received_at', '>=', new Date(sinceMs))
  return (await reports.execute()).map(activationSpan)
}

const storedRow = (row: RowOf<'event'>): StoredRow => ({
  ...row,
  ...judgedOf(row),
  untilMs: row.judged_until?.getTime() ?? null,
  outcome: toOutcome(row.outcome),
})

const edgeRoomMs = minuteMs

const findRows = (tx: Tx, spans: RawBuilder<unknown>) =>
  sqlRows<RowOf<'event'> & { n: number }>(tx)`
    select spans.n, e.* from ${spans} cross join lateral (
      select * from event
      where customer_id = spans.customer and instance_id = spans.instance and market = spans.market
        and started_at <= spans.before and (ended_at is null or ended_at >= spans.after)
      order by started_at
    ) e order by spans.n, e.started_at`

const findReports = (tx: Tx, spans: RawBuilder<unknown>) =>
  sqlRows<RowOf<'edge_event'> & { n: number }>(tx)`
    select spans.n, e.* from ${spans} cross join lateral (
      select * from edge_event
      where customer_id = spans.customer and instance_id = spans.instance and market = spans.market
        and started_at <= spans.before + ${`${edgeRoomMs} ms`}::interval
        and coalesce(ended_at, started_at) >= spans.after - ${`${edgeRoomMs} ms`}::interval
      order by started_at
    ) e order by spans.n, e.started_at, e.event_id`

const findSold = async (tx: Tx, spans: RawBuilder<unknown>) => {
  const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`
  return sqlRows<SoldSpan & { n: number }>(tx)`
    select spans.n, b.product, (b.won_mw * 1000)::float8 as kw, ${ms('b.starts_at')} as "fromMs", ${ms('b.ends_at')} as "toMs",
      ${ms('b.decided_at')} as "decidedMs"
    from ${spans} join bid b on b.customer_id = spans.customer and b.instance_id = spans.instance and b.market = spans.market
      and b.won and b.decided_at is not null and b.starts_at <= spans.before
      and b.starts_at > spans.after - interval '26 hours' and b.ends_at > spans.after
    order by spans.n, b.starts_at, b.product, b.auction`
}

export const findSpanRows = async (tx: Tx, all: readonly { watched: Instance; span: Span }[]): Promise<SpanRows[]> => {
  const json = all.map(({ watched: { customerId, instanceId, market }, span }, n) => ({
    n,
    customer: customerId,
    instance: instanceId,
    market,
    after: new Date(span.fromMs),
    before: new Date(span.toMs),
  }))
  const spans = sql`jsonb_to_recordset(${JSON.stringify(json)}::jsonb)
    as spans(n int, customer uuid, instance uuid, market text, after timestamptz, before timestamptz)`
  const rows = Map.groupBy(await findRows(tx, spans), ({ n }) => n)
  const reports = Map.groupBy(await findReports(tx, spans), ({ n }) => n)
  const sold = Map.groupBy(await findSold(tx, spans), ({ n }) => n)
  const spansOfInstances = all.map(({ watched, span }) => ({
    ...span,
    customerId: watched.customerId,
    instanceId: watched.instanceId,
  }))
  const tests = await findTests(tx, spansOfInstances)
  return all.map(({ span }, n) => ({
    ...span,
    rows: (rows.get(n) ?? []).map(storedRow),
    reports: (reports.get(n) ?? []).map((report) => ({ ...report, ...judgedOf(report) })),
    tests: tests[n] ?? [],
    sold: sold.get(n) ?? [],
  }))
}

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))

const columnsOf = ({ customerId, instanceId, market }: Instance, { startMs, endMs, untilMs, ...row }: EventRow) => ({
  ...row,
  customer_id: customerId,
  instance_id: instanceId,
  market,
  event_type: markets[market].group,
  started_at: new Date(startMs),
  ended_at: dateOf(endMs),
  judged_until: dateOf(untilMs),
})

const movedFrom = (row: EventRow, { spanRows, remove }: Examined<Instance>): StoredRow | undefined =>
  spanRows.rows.find(({ event_id }) => event_id === row.event_id) ??
  remove.find(
    ({ direction, startMs, endMs }) =>
      direction === row.direction && startMs <= (row.endMs ?? Infinity) && (endMs ?? Infinity) >= row.startMs,
  )

const webhookData = ({ instanceName, market }: Instance, row: EventRow, endMs: number): WebhookData['activation'] => ({
  _id: row.event_id,
  instanceName,
  market,
  direction: row.direction,
  startTime: new Date(row.startMs).toISOString(),
  endTime: new Date(endMs).toISOString(),
  deltaLoad: row.delta_load,
  processedDeltaLoad: row.processed_delta_load,
  maxFrequency: row.extreme_hz,
  maxSetPoint: row.max_set_point,
  consumption: row.consumption_kwh,
  difference: (endMs - row.startMs) / 1000,
  duration: (endMs - row.startMs) / 1000,
  score: row.score,
  verdict: verdictOf(row.verdict),
})

type ActivationForPush = Instance & MailedActivation

const pushOf = ({ customerId, instanceId, instanceName, simulated, ...activation }: ActivationForPush) => {
  const day = localDateOf(activation.startMs)
  return {
    customerId,
    instanceId,
    topic: `activation ${instanceId}`,
    ...activationPush({ instance: instanceName, isSimulated: simulated }, activation),
    path: `/demandResponse/${activation.market}?instance=${instanceId}&dateRange=${day}..${day}`,
    atMs: activation.startMs,
  }
}

const toSave = (examined: Examined<Instance>, row: EventRow, nowMs: number) => {
  const { watched, arrivedMs, horizonMs } = examined
  const before = movedFrom(row, examined)
  const late = (before?.late ?? true) && arrivedMs - (row.endMs ?? horizonMs) > lateMs
  const isNotified = row.source === 'telemetry' && !late
  const sendsWebhook = isNotified && row.is_final && !before?.told_at
  const told_at = before?.told_at ?? (sendsWebhook ? new Date(nowMs) : null)
  const { customerId } = watched
  const mails = isNotified && row.delta_load !== null ? [{ ...watched, ...row, deltaLoad: row.delta_load, late }] : []
  const pushes = before?.pushed_at ? [] : mails.filter(isMailed)
  const pushed_at = before?.pushed_at ?? (pushes.length > 0 ? new Date(nowMs) : null)
  return {
    columns: { ...columnsOf(watched, row), late, told_at, pushed_at },
    webhooks: sendsWebhook && row.endMs !== null ? [{ customerId, data: webhookData(watched, row, row.endMs) }] : [],
    mails,
    pushes: pushes.map(pushOf),
  }
}

const removeRows = async (tx: Tx, removed: readonly { customer: string; event: string }[]) => {
  if (removed.length === 0) return
  await sql`
    delete from event e using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as removed(customer uuid, event uuid)
    where e.customer_id = removed.customer and e.event_id = removed.event`.execute(tx)
}

const saveMoved = async (tx: Tx, moved: readonly { customer: string; from: string; to: string }[]) => {
  if (moved.length === 0) return
  const all = sql`jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as m(customer uuid, "from" uuid, "to" uuid)`
  await sql`
    update event_moved e set moved_to = m."to" from ${all}
    where e.customer_id = m.customer and e.moved_to = m."from"`.execute(tx)
  await sql`
    insert into event_moved (customer_id, event_id, moved_to)
    select m.customer, m."from", m."to" from ${all} join event e on e.customer_id = m.customer and e.event_id = m."to"
    on conflict (customer_id, event_id) do update set moved_to = excluded.moved_to`.execute(tx)
}

const deleteMoved = async (tx: Tx, ids: readonly string[]) => {
  if (ids.length > 0) await tx.deleteFrom('event_moved').where('event_id', 'in', ids).execute()
}

const saveRows = async (tx: Tx, rows: readonly ReturnType<typeof toSave>['columns'][]) => {
  const [first] = rows
  if (!first) return
  const set = Object.keys(first).map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  await sql`${insertRows('event', rows)} on conflict (customer_id, event_id) do update set ${sql.join(set)}`.execute(tx)
}

export const save = (app: Pick<App, 'records' | 'config' | 'secret' | 'clock'>, all: readonly Examined<Instance>[]) =>
  app.records.system(async (tx) => {
    const nowMs = app.clock.now()
    // Two spans of one instance may be examined together and return the same row: the last one counts.
    const last = new Map(
      all.flatMap((examined) => [
        ...examined.remove.map(({ event_id }) => [event_id, null] as const),
        ...examined.save.map((row) => [row.event_id, { examined, row }] as const),
      ]),
    )
    const rows = [...last.values()].flatMap((one) => (one ? toSave(one.examined, one.row, nowMs) : []))
    const saved = new Set(rows.map(({ columns }) => columns.event_id))
    const moved = all.flatMap(({ watched, moved: ids }) => ids.map((one) => ({ ...one, customer: watched.customerId })))
    const removed = all.flatMap(({ watched, remove }) =>
      remove.map(({ event_id }) => ({ customer: watched.customerId, event: event_id })),
    )
    const columns = rows.map((row) => row.columns)
    const webhooks = rows.flatMap((row) => row.webhooks)
    const mails = rows.flatMap((row) => row.mails)
    const replaced = moved.filter(({ from }) => !saved.has(from))
    const unsaved = removed.filter(({ event }) => !saved.has(event))
    await saveRows(tx, columns)
    await saveMoved(tx, replaced)
    await removeRows(tx, unsaved)
    await deleteMoved(tx, [...saved])
    await queueWebhooks(tx, 'activation', webhooks, nowMs)
    await mailActivations(tx, app, mails, nowMs)
    const pushes = rows.flatMap((row) => row.pushes)
    await queuePushes(tx, 'activation', pushes, nowMs)
  })
