import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'

type SessionKey = { customer_id: string; charger_id: string; evse_no: number | null; started_at: Date }

export const markSessions = (tx: Tx, sessions: readonly SessionKey[]): void =>
  addMarks(
    tx,
    'charging_due',
    sessions.map(({ customer_id, charger_id, evse_no, started_at }) => ({
      customer_id,
      charger_id,
      evse_no: evse_no ?? -1,
      day: started_at.toISOString().slice(0, 10),
    })),
  )
