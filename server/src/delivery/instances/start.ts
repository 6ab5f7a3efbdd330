import { minuteMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { proxiesOf } from '#platform/http/address.ts'
import { type Publish, startBroker } from '#protocols/mqtt/broker.ts'
import { joinBroker } from '#protocols/mqtt/outside-broker.ts'
import { type EdgeEntry, openEdgeDirectory } from './directory.ts'
import { openEdgeRefusals, saveEdgeRefusals } from './edge-refusals.ts'
import { openEdgeReports } from './edge-reports.ts'
import { edgeSignIn } from './edge-sign-in.ts'
import { liveReadingsOf, openIngest, type Committed, type IngestEffects } from './ingest.ts'
import { openEdgeKeys } from './edge-keys.ts'
import { allEdges, clientOf } from './partition.ts'
import { logCommands } from '#delivery/equipment/commands.ts'
import { saveEdgeEvent, saveEdgeHash, saveEdgeReports } from './queries.ts'

/** Older samples are a replay of an edge's buffer: stored, but not streamed to open pages. */
const liveMs = 2 * minuteMs

/** 300 ms to an acknowledgement are enough for an edge that sends each second, and five inserts a second are few. */
const patienceMs = 200

export type Ingest = {
  publish: Publish
  port: number | null
  ping: () => Promise<void>
  close: () => Promise<void>
}

type OnReportedEvent = (report: { instanceId: string; market: string; startMs: number; endMs: number | null }) => void

export const startIngest = async (
  app: App,
  { onReportedEvent, ...effects }: Pick<IngestEffects, 'onCommandResult'> & { onReportedEvent?: OnReportedEvent } = {},
  partition = allEdges,
): Promise<Ingest> => {
  const { records, readings, backlogs, live, bus, log, metrics, clock, config } = app
  const directory = openEdgeDirectory(records, clock.now)
  const stops = ['edges', 'resync'].map((topic) => bus.listen(topic, directory.forget))
  const reports = openEdgeReports({ save: (rows) => records.system((tx) => saveEdgeReports(tx, rows)), log })
  const messages = metrics.counter('gridmast_edge_messages_total')
  const samples = metrics.counter('gridmast_edge_samples_total')
  const quarantined = metrics.counter('gridmast_edge_quarantined_total')
  const refused = metrics.counter('gridmast_edge_refused_total')

  const onCommitted = (committed: Committed) => {
    const newest = Math.max(...committed.runs.map((run) => run.t0Ms + run.dtMs * (run.values.length - 1)))
    if (live.hasListeners(committed.customerId) && newest > clock.now() - liveMs)
      live.publish(committed.customerId, 'readings', liveReadingsOf(committed))
  }
  const onMessage = openIngest({
    readings,
    directory,
    // An external broker limits unacknowledged messages (Mosquitto: 20), so acknowledgements must not wait.
    ...(config.MQTT_URL ? {} : { patienceMs }),
    retentionDays: config.READINGS_RETENTION_DAYS,
    now: clock.now,
    onCommitted,
    onReported: (edge, atMs, status) => {
      reports.note(edge, atMs, status)
      if (status) backlogs.note(edge, atMs, status)
    },
    ...effects,
    onEvent: async (edge, { instanceId }, event) => {
      await records.system((tx) => saveEdgeEvent(tx, edge.customerId, instanceId, event, clock.now()))
      const { market, start, end } = event
      onReportedEvent?.({
        instanceId,
        market,
        startMs: Date.parse(start),
        endMs: end === null ? null : Date.parse(end),
      })
    },
    onLog: ({ customerId }, { instanceId }, { deviceId, command, ts }) => {
      const entry = { instance_id: instanceId, device_id: deviceId, command, at: ts }
      return records.system((tx) => logCommands(tx, customerId, [entry]))
    },
    counters: {
      message: (kind) => messages.inc({ kind }),
      samples: (count) => samples.inc({}, count),
      quarantined: (reason) => quarantined.inc({ reason }),
    },
  })

  if (config.MQTT_URL) {
    const clientId = clientOf(config, partition)
    const keys = partition.of > 1 ? await openEdgeKeys(app, partition) : null
    const edges = keys ? { edges: keys.all() } : {}
    const broker = joinBroker({ url: config.MQTT_URL, clientId, onMessage, log, now: clock.now, ...edges })
    keys?.onChange(broker.follow)
    const ping = async () => {
      const trouble = broker.trouble()
      if (trouble) throw new Error(trouble)
    }
    return {
      // Without the ping the client would keep the message during an outage and send it later.
      publish: async (topic, payload, options) => {
        await ping()
        await broker.publish(topic, payload, options)
      },
      port: null,
      ping,
      close: async () => {
        for (const stop of stops) stop()
        keys?.close()
        await broker.close()
        await reports.close()
      },
    }
  }
  const refusals = openEdgeRefusals({
    directory,
    save: (rows) => records.system((tx) => saveEdgeRefusals(tx, rows)),
    now: clock.now,
    log,
  })
  const saveHash = (edge: EdgeEntry, hash: string) => records.system((tx) => saveEdgeHash(tx, edge, hash))
  const broker = await startBroker({
    port: config.MQTT_PORT,
    host: config.HOST,
    authenticate: edgeSignIn({ directory, saveHash, now: clock.now, isProxy: proxiesOf(config.TRUST_PROXY) }),
    credentialOf: async (edgeKey) => (await directory.find(edgeKey))?.passwordHash ?? null,
    onMessage,
    onRefused: (reason, edgeKey, topic) => {
      refused.inc({ reason })
      refusals.note(reason, edgeKey, topic)
    },
    log,
    now: clock.now,
  })
  metrics.gauge('gridmast_edge_connections', broker.connections)
  const recheck = () =>
    void broker.recheck().catch((error: unknown) => log.warn({ err: error }, 'edge credentials not checked'))
  stops.push(...['edges', 'resync'].map((topic) => bus.listen(topic, recheck)))
  return {
    publish: broker.publish,
    port: broker.port,
    ping: async () => {},
    close: async () => {
      for (const stop of stops) stop()
      await broker.close()
      await refusals.close()
      await reports.close()
    },
  }
}
