import type { App } from './context.ts'
import { startAlerts } from './domains/alerts/triggers.ts'
import { sendCommands, takeAnswer } from './domains/equipment/edge-side.ts'
import { type Ingest, startIngest } from './domains/instances/start.ts'

/** The role `ingest`: what edges send goes into the readings, alerts look at it, commands go out to them, and their answers come back. */
export const openEdges = async (app: App): Promise<Ingest> => {
  const alerts = await startAlerts(app)
  const ingest = await startIngest(app, { onCommandResult: takeAnswer(app) })
  const stopSending = sendCommands(app, ingest.publish)
  return {
    ...ingest,
    close: async () => {
      stopSending()
      await ingest.close()
      await alerts.close()
    },
  }
}
