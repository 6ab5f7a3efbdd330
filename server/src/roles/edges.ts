import type { App } from '#context.ts'
import { publishConfigs } from '#trading/sold/edge-config.ts'
import { startAlerts } from '#delivery/alerts/triggers.ts'
import { sendCommands, receiveAnswer } from '#delivery/equipment/commands.ts'
import { startEvents } from '#delivery/events/detection.ts'
import { allEdges } from '#delivery/instances/partition.ts'
import { carryProgress, discardSessions } from '#delivery/instances/repartition.ts'
import { type Ingest, startIngest } from '#delivery/instances/start.ts'
import { openShares } from '#platform/jobs/shares.ts'

/** All are closed, also when one fails: an engine without its messages would save a progress that is not its own. */
const closeInOrder = async (parts: readonly { close: () => Promise<void> }[]) => {
  const errors: unknown[] = []
  for (const part of parts) await part.close().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

/**
 * The role `ingest`: messages of edges become readings, alerts and events; commands and sold capacity are sent to edges, and their answers
 * stored.
 */
export const openEdges = async (app: App, partition = allEdges): Promise<Ingest> => {
  const parts: { close: () => Promise<void> }[] = []
  try {
    const alerts = await startAlerts(app, partition)
    parts.push(alerts)
    const events = await startEvents(app, partition)
    parts.push(events)
    const effects = { onCommandResult: receiveAnswer(app), onReportedEvent: events.reported }
    const ingest = await startIngest(app, effects, partition)
    const stopSending = sendCommands(app, ingest.publish, partition)
    const stopConfigs = publishConfigs(app, ingest.publish, partition)
    return {
      ...ingest,
      close: async () => {
        stopSending()
        stopConfigs()
        await closeInOrder([ingest, ...parts])
      },
    }
  } catch (error) {
    await closeInOrder(parts).catch(() => {}) // the first error is the cause
    throw error
  }
}

/**
 * With a broker outside, the processes of an MQTT_CLIENT_ID share the partitions of the edges; a process without one waits as standby. The
 * broker keeps the messages meanwhile, and the progress through stored samples is that of the partition.
 */
export const openEdgesInTurn = async (
  app: App,
  stopBecause: (reason: string) => void,
): Promise<{ close: () => Promise<void> }> => {
  const { config, metrics, parts, records, readings, log } = app
  const of = config.INGEST_PARTITIONS
  const opened = new Map<number, Promise<Ingest>>()
  const joined = new Map<number, Ingest>()
  metrics.gauge('gridmast_ingest_partitions', () => of)
  metrics.gauge('gridmast_ingest_partitions_held', () => opened.size)
  const ping = async () => {
    for (const ingest of joined.values()) await ingest.ping()
  }
  const noteJoined = () => {
    if (joined.size > 0) parts['mqtt'] = ping
    else delete parts['mqtt']
  }
  if (!config.MQTT_URL) {
    const ingest = await openEdges(app)
    opened.set(1, Promise.resolve(ingest))
    joined.set(1, ingest)
    noteJoined()
    return ingest
  }
  metrics.gauge('gridmast_broker_connected', async () => {
    if (joined.size === 0) return []
    return ping().then(
      () => 1,
      () => 0,
    )
  })

  let carried: Promise<() => void> | undefined
  const carry = async () => discardSessions(app, await carryProgress(app))
  const open = async (no: number) => {
    carried ??= carry()
    await carried
    await readings.followOthers()
    const ingest = await openEdges(app, { no, of })
    joined.set(no, ingest)
    noteJoined()
    return ingest
  }
  const shares = openShares({
    records,
    log,
    name: `ingest ${config.MQTT_CLIENT_ID}`,
    of,
    onGained: (no) => {
      const opening = open(no)
      opened.set(no, opening)
      opening.catch((error: unknown) => {
        log.error({ err: error }, 'edges not opened')
        stopBecause('the messages of edges cannot be read')
      })
    },
    onReleased: async (no) => {
      const ingest = await opened.get(no)?.catch(() => null) // reported above
      await ingest?.close().finally(() => {
        opened.delete(no)
        joined.delete(no)
        noteJoined()
      })
    },
    onLost: () => stopBecause('another process reads the messages of edges: this one starts again as its standby'),
  })
  return {
    close: async () => {
      await shares.close()
      const stopDiscarding = await carried?.catch(() => null)
      stopDiscarding?.()
    },
  }
}
