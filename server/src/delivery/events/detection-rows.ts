import { type SignalKind, signalKinds } from '@gridmast/contract/live.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { mailActivations } from '#people/letters/activation-mail.ts'
import { findTests } from '#delivery/equipment/tests-by-hand.ts'
import type { DB } from '#platform/records/db-types.ts'
import { insertRows } from '#platform/records/rows.ts'
import type { Tx } from '#platform/records/records.ts'
import { queueWebhooks } from '#platform/messaging/webhook.ts'
import type { App } from '#context.ts'
import type { Found, Reported } from './engine.ts'
import type { Known, Row, StoredRow, Watched } from './examine.ts'
import { directionOf, toOutcome, verdictOf } from './to-event.ts'

export type Instance = Watched & { customerId: string; instanceName: string; simulated: boolean }

/**
 * Samples that arrive later than this after the end of an activation, or after themselves while it runs, are history: they create a row and no
 * notification.
 */
const lateMs = 15 * minuteMs

const isSignal = (kind: string): kind is SignalKind => signalKinds.some((one) => one === kind)

export const findWatched = async (tx: Tx): Promise<Instance[]> => {
  const { rows } = await sql<{
    customer_id: string
    instance_id: string
    name: string
    markets: string[]
    flexible_kw: string
    simulated: boolean
    market_since: Record<string, string>
    nos: Record<string, number>
  }>`
    select i.customer_id, i.instance_id, i.name, i.markets, i.flexible_kw, i.market_since, e.simulated, jsonb_object_agg(s.kind, s.no) as nos
    from instance i
    join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    join signal s on s.customer_id = i.customer_id and s.instance_id = i.instance_id
    where i.enabled and i.bid_active
    group by i.customer_id, i.instance_id, e.customer_id, e.edge_id`.execute(tx)
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

const startedAt = (row: {
  instance_id: string
  market: string
  started_at: Date
  ended_at: Date | null
}): Reported => ({
  instanceId: row.instance_id,
  market: row.market,
  startMs: row.started_at.getTime(),
  endMs: row.ended_at?.getTime() ?? null,
})

export const findUnfinished = async (tx: Tx): Promise<Reported[]> => {
  const found = tx.selectFrom('event').select(['instance_id', 'market', 'started_at', 'ended_at'])
  return (await found.where('is_final', '=', false).execute()).map(startedAt)
}

export const findReportedSince = async (tx: Tx, sinceMs: number): Promise<Reported[]> => {
  const found = tx.selectFrom('edge_event').select(['instance_id', 'market', 'started_at', 'ended_at'])
  return (await found.where('received_at', '>=', new Date(sinceMs)).execute()).map(startedAt)
}

type EventColumns = Selectable<DB['event']>

const storedRow = (row: EventColumns): StoredRow => ({
  eventId: row.event_id,
  source: row.source === 'edge' ? 'edge' : 'telemetry',
  direction: directionOf(row.direction),
  deltaLoad: row.delta_load,
  capacityKw: row.capacity_kw,
  isSold: row.capacity_source === 'sold',
  startMs: row.started_at.getTime(),
  endMs: row.ended_at?.getTime() ?? null,
  processedDeltaLoad: row.processed_delta_load,
  extremeHz: row.extreme_hz,
  maxSetPoint: row.max_set_point,
  consumptionKwh: row.consumption_kwh,
  isEstimated: row.consumption_estimated,
  score: row.score,
  verdict: row.verdict,
  outcome: toOutcome(row.outcome),
  untilMs: row.judged_until?.getTime() ?? null,
  isFinal: row.is_final,
  edgeEventId: row.edge_event_id,
  late: row.late,
  toldMs: row.told_at?.getTime() ?? null,
})

const edgeRoomMs = minuteMs

type Asked = { watched: Instance; span: Span }

const findRows = async (tx: Tx, asked: RawBuilder<unknown>) => {
  const { rows } = await sql<EventColumns & { n: number }>`
    select asked.n, e.* from ${asked} cross join lateral (
      select * from event
      where customer_id = asked.customer and instance_id = asked.instance and market = asked.market
        and started_at <= asked.before and (ended_at is null or ended_at >= asked.after)
      order by started_at
    ) e order by asked.n, e.started_at`.execute(tx)
  return rows
}

const findReports = async (tx: Tx, asked: RawBuilder<unknown>) => {
  const { rows } = await sql<Selectable<DB['edge_event']> & { n: number }>`
    select asked.n, e.* from ${asked} cross join lateral (
      select * from edge_event
      where customer_id = asked.customer and instance_id = asked.instance and market = asked.market
        and started_at <= asked.before + ${`${edgeRoomMs} ms`}::interval
        and coalesce(ended_at, started_at) >= asked.after - ${`${edgeRoomMs} ms`}::interval
      order by started_at
    ) e order by asked.n, e.started_at, e.event_id`.execute(tx)
  return rows
}

const findSold = async (tx: Tx, asked: RawBuilder<unknown>) => {
  const { rows } = await sql<{
    n: number
    product: string
    starts_at: Date
    ends_at: Date
    kw: number
    decided_at: Date
  }>`
    select asked.n, b.product, b.starts_at, b.ends_at, (b.won_mw * 1000)::float8 as kw, b.decided_at
    from ${asked} join bid b on b.customer_id = asked.customer and b.instance_id = asked.instance and b.market = asked.market
      and b.won and b.decided_at is not null and b.starts_at <= asked.before
      and b.starts_at > asked.after - interval '26 hours' and b.ends_at > asked.after
    order by asked.n, b.starts_at, b.product, b.auction`.execute(tx)
  return rows
}

/** Four statements for any number of spans: a grid fault activates all instances in the same second. */
export const findKnown = async (tx: Tx, all: readonly Asked[]): Promise<Known[]> => {
  const given = all.map(({ watched: { customerId, instanceId, market }, span }, n) => ({
    n,
    customer: customerId,
    instance: instanceId,
    market,
    after: new Date(span.fromMs),
    before: new Date(span.toMs),
  }))
  const asked = sql`jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
    as asked(n int, customer uuid, instance uuid, market text, after timestamptz, before timestamptz)`
  const rows = Map.groupBy(await findRows(tx, asked), ({ n }) => n)
  const reports = Map.groupBy(await findReports(tx, asked), ({ n }) => n)
  const sold = Map.groupBy(await findSold(tx, asked), ({ n }) => n)
  const tests = await findTests(
    tx,
    all.map(({ watched: { customerId, instanceId }, span }) => ({ customerId, instanceId, ...span })),
  )
  return all.map(({ span }, n) => ({
    ...span,
    rows: (rows.get(n) ?? []).map(storedRow),
    reports: (reports.get(n) ?? []).map((report) => ({
      edgeEventId: report.event_id,
      direction: directionOf(report.direction),
      startMs: report.started_at.getTime(),
      endMs: report.ended_at?.getTime() ?? null,
      maxSetPoint: report.max_set_point === null ? null : Number(report.max_set_point),
      hz: report.external_frequency_hz === null ? null : Number(report.external_frequency_hz),
      receivedMs: report.received_at.getTime(),
    })),
    tests: tests[n] ?? [],
    sold: (sold.get(n) ?? []).map(({ product, kw, starts_at, ends_at, decided_at }) => ({
      product,
      kw,
      fromMs: starts_at.getTime(),
      toMs: ends_at.getTime(),
      decidedMs: decided_at.getTime(),
    })),
  }))
}

const columnsOf = ({ customerId, instanceId, market }: Instance, row: Row) => ({
  customer_id: customerId,
  event_id: row.eventId,
  instance_id: instanceId,
  market,
  source: row.source,
  event_type: markets[market].group,
  direction: row.direction,
  started_at: new Date(row.startMs),
  ended_at: row.endMs === null ? null : new Date(row.endMs),
  delta_load: row.deltaLoad,
  processed_delta_load: row.processedDeltaLoad,
  extreme_hz: row.extremeHz,
  max_set_point: row.maxSetPoint,
  consumption_kwh: row.consumptionKwh,
  consumption_estimated: row.isEstimated,
  capacity_kw: row.capacityKw,
  capacity_source: row.isSold ? 'sold' : 'registered',
  score: row.score,
  verdict: row.verdict,
  outcome: row.outcome,
  judged_until: row.untilMs === null ? null : new Date(row.untilMs),
  is_final: row.isFinal,
  edge_event_id: row.edgeEventId,
})

const movedFrom = (row: Row, { known, remove }: Found<Instance>): StoredRow | undefined =>
  known.rows.find(({ eventId }) => eventId === row.eventId) ??
  remove.find(
    ({ direction, startMs, endMs }) =>
      direction === row.direction && startMs <= (row.endMs ?? Infinity) && (endMs ?? Infinity) >= row.startMs,
  )

const webhookData = ({ instanceName, market }: Instance, row: Row, endMs: number): WebhookData['activation'] => ({
  _id: row.eventId,
  instanceName,
  market,
  direction: row.direction,
  startTime: new Date(row.startMs).toISOString(),
  endTime: new Date(endMs).toISOString(),
  deltaLoad: row.deltaLoad,
  processedDeltaLoad: row.processedDeltaLoad,
  maxFrequency: row.extremeHz,
  maxSetPoint: row.maxSetPoint,
  consumption: row.consumptionKwh,
  difference: (endMs - row.startMs) / 1000,
  duration: (endMs - row.startMs) / 1000,
  score: row.score,
  verdict: verdictOf(row.verdict),
})

const toSave = (found: Found<Instance>, row: Row, nowMs: number) => {
  const { watched, arrivedMs, horizonMs } = found
  const moved = movedFrom(row, found)
  const late = (moved?.late ?? true) && arrivedMs - (row.endMs ?? horizonMs) > lateMs
  const isTold = row.source === 'telemetry' && !late
  const tellsWebhook = isTold && row.isFinal && !moved?.toldMs
  const toldMs = moved?.toldMs ?? (tellsWebhook ? nowMs : null)
  return {
    columns: { ...columnsOf(watched, row), late, told_at: toldMs === null ? null : new Date(toldMs) },
    webhooks:
      tellsWebhook && row.endMs !== null
        ? [{ customerId: watched.customerId, data: webhookData(watched, row, row.endMs) }]
        : [],
    mails: isTold && row.deltaLoad !== null ? [{ ...watched, ...row, deltaLoad: row.deltaLoad, late }] : [],
  }
}

const removeRows = async (tx: Tx, gone: readonly { customer: string; event: string }[]) => {
  if (gone.length === 0) return
  await sql`
    delete from event e using jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) as gone(customer uuid, event uuid)
    where e.customer_id = gone.customer and e.event_id = gone.event`.execute(tx)
}

type Moved = { customer: string; from: string; to: string }

/** Runs before removed rows are deleted: references to them follow to the new row. */
const saveMoved = async (tx: Tx, moved: readonly Moved[]) => {
  if (moved.length === 0) return
  const all = sql`jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as m(customer uuid, "from" uuid, "to" uuid)`
  await sql`
    update event_moved e set moved_to = m."to" from ${all} where e.customer_id = m.customer and e.moved_to = m."from"`.execute(
    tx,
  )
  await sql`
    insert into event_moved (customer_id, event_id, moved_to)
    select m.customer, m."from", m."to" from ${all} join event e on e.customer_id = m.customer and e.event_id = m."to"
    on conflict (customer_id, event_id) do update set moved_to = excluded.moved_to`.execute(tx)
}

const forgetMoved = async (tx: Tx, ids: readonly string[]) => {
  if (ids.length > 0) await tx.deleteFrom('event_moved').where('event_id', 'in', ids).execute()
}

const saveRows = async (tx: Tx, rows: readonly ReturnType<typeof toSave>['columns'][]) => {
  const [first] = rows
  if (!first) return
  const set = Object.keys(first).map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  await sql`${insertRows('event', rows)} on conflict (customer_id, event_id) do update set ${sql.join(set)}`.execute(tx)
}

export const save = (app: Pick<App, 'records' | 'config' | 'secret' | 'clock'>, all: readonly Found<Instance>[]) =>
  app.records.system(async (tx) => {
    const nowMs = app.clock.now()
    const gone = all.flatMap(({ watched: { customerId }, remove }) =>
      remove.map(({ eventId }) => ({ customer: customerId, event: eventId })),
    )
    // Two spans of one instance may be examined together and return the same row: the last one counts.
    const last = new Map(
      all.flatMap((found) => [
        ...found.remove.map(({ eventId }) => [eventId, null] as const),
        ...found.save.map((row) => [row.eventId, { found, row }] as const),
      ]),
    )
    const rows = [...last.values()].flatMap((one) => (one ? toSave(one.found, one.row, nowMs) : []))
    const columns = rows.map((row) => row.columns)
    await saveRows(tx, columns)
    const kept = new Set(columns.map((row) => row.event_id))
    await saveMoved(
      tx,
      all.flatMap(({ watched: { customerId: customer }, moved }) =>
        moved.flatMap((one) => (kept.has(one.from) ? [] : [{ ...one, customer }])),
      ),
    )
    await removeRows(
      tx,
      gone.filter(({ event }) => !kept.has(event)),
    )
    await forgetMoved(tx, [...kept])
    const webhooks = rows.flatMap((row) => row.webhooks)
    await queueWebhooks(tx, 'activation', webhooks, nowMs)
    const mails = rows.flatMap((row) => row.mails)
    await mailActivations(tx, app, mails, nowMs)
  })

export const getProgress = async (tx: Tx, client: string): Promise<number | null> => {
  const found = await tx.selectFrom('event_progress').select('version').where('client', '=', client).executeTakeFirst()
  return found?.version ?? null
}

export const saveProgress = (tx: Tx, client: string, version: number) =>
  tx
    .insertInto('event_progress')
    .values({ client, version })
    .onConflict((conflict) => conflict.column('client').doUpdateSet({ version }))
    .execute()
