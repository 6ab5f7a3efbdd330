import type { App } from '#context.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import type { Charger } from './directory.ts'
import { abandon, ofCharger } from './transactions.ts'
import { openStates } from '#charging/chargers/connectors.ts'

const stormAt = 400
const [soonS, spreadS] = [20, 60]

/** Seconds until a charger may boot again, spread so that chargers do not return together; 0: accepted. */
export const pendingS = (waiting: number, chance: number): number =>
  waiting > stormAt ? soonS + Math.floor(chance * spreadS) : 0

/** A charger of OCPP 2.0.1 is queried about each of its open sessions; a session that is unknown to it ended with its last reading. */
export const askOpenSessions = async ({ records, clock }: App, charger: Charger, connection: Connection) => {
  if (connection.version !== 'ocpp2.0.1') return
  const open = await records.system((tx) =>
    ofCharger(tx, charger).where('state', 'in', openStates).where('ocpp_id', 'is not', null).execute(),
  )
  for (const { ocpp_id, transaction_id } of open) {
    const order = { kind: 'session-status', transactionId: ocpp_id ?? '' } as const
    const answer = await connection.call(order, { isQuiet: true })
    if (answer.kind !== 'answered' || answer.isOngoing !== false) continue
    await records.system(async (tx) => {
      const still = await ofCharger(tx, charger)
        .where('transaction_id', '=', transaction_id)
        .where('state', 'in', openStates)
        .forUpdate()
        .executeTakeFirst()
      if (still) await abandon(tx, still, clock.now())
    })
  }
}
