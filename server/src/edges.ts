import type { App } from './context.ts'
import { publishConfigs } from './domains/bid-requests/edge-config.ts'
import { startAlerts } from './domains/alerts/triggers.ts'
import { sendCommands, takeAnswer } from './domains/equipment/edge-side.ts'
import { startEvents } from './domains/events/detection.ts'
import { type Ingest, startIngest } from './domains/instances/start.ts'

/** The role `ingest`: what edges send goes into the readings, alerts and events look at it, commands and what is sold go out to them, and their answers come back. */
export const openEdges = async (app: App): Promise<Ingest> => {
  const alerts = await startAlerts(app)
  const events = await startEvents(app)
  const ingest = await startIngest(app, { onCommandResult: takeAnswer(app), onReportedEvent: events.reported })
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
