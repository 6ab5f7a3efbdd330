import type { App } from '#context.ts'
import { publishConfigs } from '#trading/sold/edge-config.ts'
import { startAlerts } from '#delivery/alerts/triggers.ts'
import { sendCommands, receiveAnswer } from '#delivery/equipment/commands.ts'
import { startEvents } from '#delivery/events/detection.ts'
import { type Ingest, startIngest } from '#delivery/instances/start.ts'

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
