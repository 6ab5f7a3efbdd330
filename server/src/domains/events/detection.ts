import type { LiveActivation } from '@gridmast/contract/events.ts'
import { type SignalKind, signalKinds } from '@gridmast/contract/live.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/webhook-data.ts'
import { sql } from 'kysely'
import { mailActivation } from '#market/activation-mail.ts'
import type { Tx } from '#platform/records.ts'
import { queueWebhook } from '#platform/webhook.ts'
import { ingestClient } from '#config.ts'
import type { App } from '#context.ts'
import { type Engine, type Found, openEventEngine, type Ports, type Reported } from './engine.ts'
import type { Known, Row, StoredRow, Watched } from './examine.ts'
import { judgeRunning } from './pieces.ts'
import { findTests } from './tests-by-hand.ts'
import { directionOf, toOutcome, toRunning, verdictOf } from './to-event.ts'

type Instance = Watched & { customerId: string; instanceName: string; simulated: boolean }

/** Samples that come later than this after an activation, or while it runs after themselves, are history: a row, but nobody is told. */
const lateMs = 15 * minuteMs
/** The live event is for people who look on; a page of them is enough. */
const mostLive = 100

const isSignal = (kind: string): kind is SignalKind => signalKinds.some((one) => one === kind)

/** What may be called: enabled instances that a market runs, each on each of its markets. */
const findWatched = async (tx: Tx): Promise<Instance[]> => {
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
      ...{ customerId: row.customer_id, instanceId: row.instance_id, instanceName: row.name },
      ...{ market, simulated: row.simulated, capacityKw: Number(row.flexible_kw) },
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
  ...{ instanceId: row.instance_id, market: row.market },
  ...{ startMs: row.started_at.getTime(), endMs: row.ended_at?.getTime() ?? null },
})

const findUnfinished = async (tx: Tx): Promise<Reported[]> => {
  const found = tx.selectFrom('event').select(['instance_id', 'market', 'started_at', 'ended_at'])
  return (await found.where('is_final', '=', false).execute()).map(startedAt)
}

const findReportedSince = async (tx: Tx, sinceMs: number): Promise<Reported[]> => {
  const found = tx.selectFrom('edge_event').select(['instance_id', 'market', 'started_at', 'ended_at'])
  return (await found.where('received_at', '>=', new Date(sinceMs)).execute()).map(startedAt)
}

const storedRow = (row: EventColumns): StoredRow => ({
  ...{ eventId: row.event_id, source: row.source === 'edge' ? 'edge' : 'telemetry' },
  ...{ direction: directionOf(row.direction), deltaLoad: row.delta_load, capacityKw: row.capacity_kw },
  ...{ startMs: row.started_at.getTime(), endMs: row.ended_at?.getTime() ?? null },
  ...{ processedDeltaLoad: row.processed_delta_load, extremeHz: row.extreme_hz, maxSetPoint: row.max_set_point },
  ...{ consumptionKwh: row.consumption_kwh, isEstimated: row.consumption_estimated, score: row.score },
  ...{ verdict: row.verdict, outcome: toOutcome(row.outcome), untilMs: row.judged_until?.getTime() ?? null },
  ...{ isFinal: row.is_final, edgeEventId: row.edge_event_id, late: row.late },
  toldMs: row.told_at?.getTime() ?? null,
})

type EventColumns = Awaited<ReturnType<typeof findRows>>[number]

const edgeRoomMs = minuteMs

const findRows = (tx: Tx, { customerId, instanceId, market }: Instance, { fromMs, toMs }: Span) =>
  tx
    .selectFrom('event')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .where('market', '=', market)
    .where('started_at', '<=', new Date(toMs))
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>=', new Date(fromMs))]))
    .orderBy('started_at')
    .execute()

const findReports = (tx: Tx, { customerId, instanceId, market }: Instance, { fromMs, toMs }: Span) =>
  tx
    .selectFrom('edge_event')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .where('market', '=', market)
    .where('started_at', '<=', new Date(toMs + edgeRoomMs))
    .where(sql<boolean>`coalesce(ended_at, started_at) >= ${new Date(fromMs - edgeRoomMs)}`)
    .orderBy('started_at')
    .orderBy('event_id')
    .execute()

const findKnown = async (tx: Tx, watched: Instance, span: Span): Promise<Known> => {
  const reports = await findReports(tx, watched, span)
  return {
    ...span,
    rows: (await findRows(tx, watched, span)).map(storedRow),
    reports: reports.map((report) => ({
      ...{ edgeEventId: report.event_id, direction: directionOf(report.direction) },
      ...{ startMs: report.started_at.getTime(), endMs: report.ended_at?.getTime() ?? null },
      maxSetPoint: report.max_set_point === null ? null : Number(report.max_set_point),
      hz: report.external_frequency_hz === null ? null : Number(report.external_frequency_hz),
      receivedMs: report.received_at.getTime(),
    })),
    tests: await findTests(tx, watched.customerId, watched.instanceId, span),
  }
}

const columnsOf = ({ customerId, instanceId, market }: Instance, row: Row) => ({
  ...{ customer_id: customerId, event_id: row.eventId, instance_id: instanceId, market, source: row.source },
  ...{ event_type: markets[market].group, direction: row.direction, started_at: new Date(row.startMs) },
  ended_at: row.endMs === null ? null : new Date(row.endMs),
  ...{ delta_load: row.deltaLoad, processed_delta_load: row.processedDeltaLoad, extreme_hz: row.extremeHz },
  ...{ max_set_point: row.maxSetPoint, consumption_kwh: row.consumptionKwh, consumption_estimated: row.isEstimated },
  ...{ capacity_kw: row.capacityKw, capacity_source: 'registered', score: row.score, verdict: row.verdict },
  outcome: row.outcome && JSON.stringify(row.outcome),
  judged_until: row.untilMs === null ? null : new Date(row.untilMs),
  ...{ is_final: row.isFinal, edge_event_id: row.edgeEventId },
})

/** A row that only moved: whoever was told of it is not told again. */
const movedFrom = (row: Row, { known, remove }: Found<Instance>): StoredRow | undefined =>
  known.rows.find(({ eventId }) => eventId === row.eventId) ??
  remove.find(
    ({ direction, startMs, endMs }) =>
      direction === row.direction && startMs <= (row.endMs ?? Infinity) && (endMs ?? Infinity) >= row.startMs,
  )

const webhookData = ({ instanceName, market }: Instance, row: Row, endMs: number): WebhookData['activation'] => ({
  ...{ _id: row.eventId, instanceName, market, direction: row.direction },
  startTime: new Date(row.startMs).toISOString(),
  endTime: new Date(endMs).toISOString(),
  ...{ deltaLoad: row.deltaLoad, processedDeltaLoad: row.processedDeltaLoad },
  ...{ maxFrequency: row.extremeHz, maxSetPoint: row.maxSetPoint, consumption: row.consumptionKwh },
  ...{ difference: (endMs - row.startMs) / 1000, duration: (endMs - row.startMs) / 1000 },
  ...{ score: row.score, verdict: verdictOf(row.verdict) },
})

const saveRow = async (tx: Tx, app: From, found: Found<Instance>, row: Row) => {
  const { watched, arrivedMs, horizonMs } = found
  const { customerId, instanceId, market } = watched
  const nowMs = app.clock.now()
  const moved = movedFrom(row, found)
  const late = (moved?.late ?? true) && arrivedMs - (row.endMs ?? horizonMs) > lateMs
  const isTold = row.source === 'telemetry' && !late
  // A webhook is sent once, when all that it says is known.
  const tellsWebhook = isTold && row.isFinal && !moved?.toldMs
  const toldMs = moved?.toldMs ?? (tellsWebhook ? nowMs : null)
  const columns = { ...columnsOf(watched, row), late, told_at: toldMs === null ? null : new Date(toldMs) }
  await tx
    .insertInto('event')
    .values(columns)
    .onConflict((conflict) => conflict.columns(['customer_id', 'event_id']).doUpdateSet(columns))
    .execute()
  const { direction, startMs, endMs, deltaLoad } = row
  if (tellsWebhook && endMs !== null)
    await queueWebhook(tx, customerId, 'activation', webhookData(watched, row, endMs), nowMs)
  if (!isTold || deltaLoad === null) return
  await mailActivation(tx, app, customerId, { instanceId, market, late, direction, startMs, endMs, deltaLoad }, nowMs)
}

const save = (app: From, all: readonly Found<Instance>[]) =>
  app.records.system(async (tx) => {
    for (const found of all) {
      const gone = found.remove.map(({ eventId }) => eventId)
      if (gone.length > 0)
        await tx
          .deleteFrom('event')
          .where('customer_id', '=', found.watched.customerId)
          .where('event_id', 'in', gone)
          .execute()
      for (const row of found.save) await saveRow(tx, app, found, row)
    }
  })

type From = Pick<App, 'records' | 'readings' | 'config' | 'secret' | 'clock' | 'live' | 'news' | 'log'>

/** What runs, told to who looks on. */
const openTelling = ({ readings, live, clock }: From) => {
  /** By row, what was told last. */
  const told = new Map<string, { instance: Instance; said: LiveActivation }>()
  const running = new Map<string, { instance: Instance; row: Row; known: Known }>()

  const tell = async ({ instance, row, known }: { instance: Instance; row: Row; known: Known }) => {
    const { customerId, instanceId, instanceName, market, simulated } = instance
    const { capacityKw, deltaLoad } = row
    const subject = { ...instance, capacityKw, tests: known.tests }
    const outcome = await judgeRunning(readings, subject, row, row.outcome, clock.now())
    const named = { _id: row.eventId, market, instanceId, instanceName, simulated, capacityKw, deltaLoad }
    const said = { ...toRunning(named, row, outcome), ended: row.endMs !== null }
    if (said.ended) told.delete(row.eventId)
    else told.set(row.eventId, { instance, said })
    live.publish(customerId, 'activation', said)
  }

  return {
    saved: async (all: readonly Found<Instance>[]) => {
      for (const { watched, save: rows, remove, known } of all) {
        for (const { eventId } of remove) {
          running.delete(eventId)
          const before = told.get(eventId)
          told.delete(eventId)
          if (before) live.publish(before.instance.customerId, 'activation', { ...before.said, ended: true })
        }
        for (const row of rows) {
          const one = { instance: watched, row, known }
          if (row.source === 'telemetry' && row.endMs === null) running.set(row.eventId, one)
          else if (running.delete(row.eventId) && live.isHeard(watched.customerId)) await tell(one)
        }
      }
    },
    tick: async (engine: Engine<Instance>) => {
      if (running.size === 0) return
      const seen = engine.running()
      for (const one of [...running.values()].slice(0, mostLive)) {
        if (!live.isHeard(one.instance.customerId)) continue
        const { activation } =
          seen.find(
            ({ watched, activation: { direction } }) =>
              watched.instanceId === one.instance.instanceId &&
              watched.market === one.instance.market &&
              direction === one.row.direction,
          ) ?? {}
        const deltaLoad = Math.max(one.row.deltaLoad ?? 0, activation?.deltaLoadPct ?? 0)
        if (running.has(one.row.eventId)) await tell({ ...one, row: { ...one.row, deltaLoad } })
      }
    },
  }
}

const tickMs = 1000

/** Watches what is stored, in the process that takes it from the edges; events.md says how. */
export const startEvents = async (app: From): Promise<Engine<Instance>> => {
  const { records, readings, news, clock, log, config } = app
  const telling = openTelling(app)
  const client = ingestClient(config)
  const ports: Ports<Instance> = {
    readings,
    watched: () => records.system(findWatched),
    unfinished: () => records.system(findUnfinished),
    reportedSince: (sinceMs) => records.system((tx) => findReportedSince(tx, sinceMs)),
    known: (asked) =>
      records.system(async (tx) => {
        const all: Known[] = []
        for (const { watched, span } of asked) all.push(await findKnown(tx, watched, span))
        return all
      }),
    save: async (found) => {
      await save(app, found)
      await telling.saved(found)
    },
    progress: () => records.system((tx) => getProgress(tx, client)),
    saveProgress: async (version) => void (await records.system((tx) => saveProgress(tx, client, version))),
    now: clock.now,
    onError: (error) => log.error({ err: error }, 'events: not looked at, trying again'),
  }
  const engine = await openEventEngine(ports)
  let telled: Promise<void> | undefined
  const timer = setInterval(() => {
    engine.tick()
    telled ??= telling
      .tick(engine)
      .catch((error: unknown) => log.error({ err: error }, 'events: what runs was not told'))
      .finally(() => (telled = undefined))
  }, tickMs).unref()
  const stops = [news.hear('edges', engine.changed), news.hear('missed', engine.changed)]
  return {
    ...engine,
    close: async () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      await telled
      await engine.close()
    },
  }
}

const getProgress = async (tx: Tx, client: string): Promise<number | null> => {
  const found = await tx.selectFrom('event_progress').select('version').where('client', '=', client).executeTakeFirst()
  return found?.version ?? null
}

const saveProgress = (tx: Tx, client: string, version: number) =>
  tx
    .insertInto('event_progress')
    .values({ client, version })
    .onConflict((conflict) => conflict.column('client').doUpdateSet({ version }))
    .execute()
