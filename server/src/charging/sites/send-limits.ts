import type { Clock } from '#platform/process/clock.ts'
import type { Records } from '#platform/records/records.ts'
import { deleteRows, onKey } from '#platform/records/rows.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import type { SiteRow } from './site-connectors.ts'
import { type Limit, type Site, updateLimit } from './site-plan.ts'
import { clearFallback, type ProfileAnswer, readSchedule, setFallback, setSessionLimit } from './smart-charging.ts'

/** Each function sends one change to one EVSE, stores its answer, and is true when the charger has changed. */

export type Chargers = { records: Records; clock: Clock; connectionOf: (chargerId: string) => Connection | null }

const evseOf = (row: SiteRow) => ({
  evse: row.evse_no,
  phases: row.phases.length === 1 ? (1 as const) : (3 as const),
})

const columnsOf = (answer: ProfileAnswer, { row, amperes, untilMs }: Limit, changed_at: Date) => {
  if (answer.isSilent) return { changed_at }
  const closed = { sent_a: null, sent_until: null, changed_at, refusal: answer.refusal, session_no: row.no }
  return answer.isAccepted
    ? { ...closed, follows: true, confirmed_a: amperes, confirmed_until: new Date(untilMs) }
    : { ...closed, follows: false }
}

export const sendLimit = async ({ records, clock, connectionOf }: Chargers, site: Site, limit: Limit) => {
  const { row, amperes } = limit
  const connection = connectionOf(row.charger_id)
  if (!connection || row.no === null) return false
  const session = { transactionNo: row.no, transactionId: row.ocpp_id }
  const answer = await setSessionLimit(connection, evseOf(row), amperes, session, limit)
  const columns = columnsOf(answer, limit, new Date(clock.now()))
  await records.system((tx) => updateLimit(tx, site, row, columns))
  if (!answer.isAccepted || row.confirmed_a === amperes) return answer.isAccepted
  const reportedA = await readSchedule(connection, evseOf(row))
  await records.system((tx) => updateLimit(tx, site, row, { told_a: reportedA?.toFixed(1) ?? null }))
  return true
}

export const sendFallback = async ({ records, clock, connectionOf }: Chargers, site: Site, row: SiteRow) => {
  const connection = connectionOf(row.charger_id)
  if (!connection) return false
  const answer = await setFallback(connection, evseOf(row), site.fallbackA, row.connectors, clock.now())
  // A lower fallback counts once it is accepted, a higher one at once, answered or not.
  const confirmedA = answer.isAccepted ? site.fallbackA : row.fallback_a
  const fallback_a = answer.isSilent && confirmedA !== null ? Math.max(confirmedA, site.fallbackA) : confirmedA
  const columns = { fallback_a, refusal: answer.refusal, changed_at: new Date(clock.now()) }
  await records.system((tx) => updateLimit(tx, site, row, columns))
  return answer.isAccepted
}

export const endFallback = async ({ records, clock, connectionOf }: Chargers, site: Site, row: SiteRow) => {
  const connection = connectionOf(row.charger_id)
  if (!connection || (await clearFallback(connection, row.evse_no)).kind !== 'answered') return false
  const columns = { fallback_a: null, changed_at: new Date(clock.now()) }
  await records.system((tx) => updateLimit(tx, site, row, columns))
  return true
}

/** Ends the limits of chargers that are in no site any more. */
export const releaseRemoved = async ({ records, connectionOf }: Chargers): Promise<void> => {
  const removed = await records.system((tx) =>
    tx
      .selectFrom('charger_limit as l')
      .innerJoin('charger as c', onKey('c', 'l', 'charger_id'))
      .select(['l.customer_id', 'l.charger_id', 'l.evse_no'])
      .where('c.site_id', 'is', null)
      .execute(),
  )
  for (const { customer_id, ...key } of removed) {
    const connection = connectionOf(key.charger_id)
    if (!connection || (await clearFallback(connection, key.evse_no)).kind !== 'answered') continue
    await records.system((tx) => deleteRows(tx, customer_id, 'charger_limit', key).execute())
  }
}
