import type { App } from '#context.ts'
import { publishConfigs } from '#trading/sold/edge-config.ts'
import { startAlerts } from '#delivery/alerts/triggers.ts'
import { sendCommands, receiveAnswer } from '#delivery/equipment/commands.ts'
import { startEvents } from '#delivery/events/detection.ts'
import { type Ingest, startIngest } from '#delivery/instances/start.ts'
import { openLease } from '#platform/jobs/lease.ts'

/**
 * The role `ingest`: messages of edges become readings, alerts and events; commands and sold capacity are sent to edges, and their answers
 * stored.
 */
export const openEdges = async (app: App): Promise<Ingest> => {
  const alerts = await startAlerts(app)
  const events = await startEvents(app)
  const ingest = await startIngest(app, { onCommandResult: receiveAnswer(app), onReportedEvent: events.reported })
  const stopSending = sendCommands(app, ingest.publish)
  const stopConfigs = publishConfigs(app, ingest.publish)
  return {
    ...ingest,
    close: async () => {
      stopSending()
      stopConfigs()
      await ingest.close()
      await alerts.close()
      await events.close()
    },
  }
}

/**
 * With a broker outside, one process at a time reads it under an MQTT_CLIENT_ID; another with the same one waits as its standby. The broker
 * keeps the messages meanwhile, and the progress through stored samples is that of the client id.
 */
export const openEdgesInTurn = async (
  app: App,
  stopBecause: (reason: string) => void,
): Promise<{ close: () => Promise<void> }> => {
  const open = async () => {
    const ingest = await openEdges(app)
    app.parts['mqtt'] = ingest.ping
    return ingest
  }
  let ingest: Promise<Ingest> | null = null
  app.metrics.gauge('gridmast_ingest_active', () => (ingest ? 1 : 0))
  if (!app.config.MQTT_URL) {
    ingest = open()
    return await ingest
  }
  const lease = openLease({
    records: app.records,
    log: app.log,
    name: `ingest ${app.config.MQTT_CLIENT_ID}`,
    onGained: () => {
      ingest = open()
      ingest.catch((error: unknown) => {
        app.log.error({ err: error }, 'edges not opened')
        stopBecause('the messages of edges cannot be read')
      })
    },
    onLost: () => stopBecause('another process reads the messages of edges: this one starts again as its standby'),
  })
  return {
    close: async () => {
      await (await ingest)?.close()
      await lease.close()
    },
  }
}
