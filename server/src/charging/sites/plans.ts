import { quarterMs, minuteMs } from '@gridmast/contract/time.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, updateRows, deleteRows, type RowOf } from '#platform/records/rows.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import { clearPlan, type ConnectorPlan, setPlan } from './smart-charging.ts'
import { phasesOf } from './load-balancing.ts'

export type Schedule = { fromMs: number; watts: readonly number[] }

/** W of the whole charger at an instant; null before and after the plan. */
export const wattsAt = ({ fromMs, watts }: Schedule, ms: number): number | null =>
  watts[Math.floor((ms - fromMs) / quarterMs)] ?? null

export const saveSchedules = async (
  tx: Tx,
  { customerId, planId }: { customerId: string; planId: string },
  schedules: readonly (Schedule & { chargerId: string })[],
): Promise<void> => {
  for (const { chargerId, fromMs, watts } of schedules) {
    const unsent = { told: null, told_at: null, answer: null }
    const followed = { plan_id: planId, from_at: new Date(fromMs), watts: [...watts], ...unsent }
    await insertRow(tx, customerId, 'charger_schedule', { charger_id: chargerId, ...followed })
      .onConflict((conflict) => conflict.columns(['customer_id', 'charger_id']).doUpdateSet(followed))
      .execute()
    rowChanged(tx, 'charger-schedule', chargerId)
  }
}

export const endSchedules = async (tx: Tx, customerId: string, planId: string): Promise<void> => {
  const ended = await updateRows(tx, customerId, 'charger_schedule', { plan_id: planId })
    .set({ watts: [] })
    .returning('charger_id')
    .execute()
  for (const { charger_id } of ended) rowChanged(tx, 'charger-schedule', charger_id)
}

/** The balancer applies the plan of a charger on a site with the site's other limits; any other charger gets the plan as a charging profile. */

type Row = RowOf<'charger_schedule', 'customer_id' | 'charger_id' | 'plan_id' | 'from_at' | 'watts' | 'told'> &
  RowOf<'charger', 'connectors' | 'generation' | 'site_id' | 'site_phases'> & {
    sessions: { evse: number; no: number; id: string | null }[]
  }

const findRows = async (tx: Tx) =>
  sqlRows<Row>(tx)`
      select c.customer_id, c.charger_id, c.connectors, c.generation, c.site_id, c.site_phases, p.plan_id, p.from_at, p.watts, p.told,
        coalesce((select json_agg(json_build_object('evse', s.evse_no, 'no', s.no, 'id', s.ocpp_id) order by s.started_at)
          from charger_transaction s where s.customer_id = c.customer_id and s.charger_id = c.charger_id
            and s.state in ('starting', 'active') and not s.refused and s.evse_no is not null), '[]') as sessions
      from charger_schedule p join charger c on c.customer_id = p.customer_id and c.charger_id = p.charger_id`

const connectorPlan = ({ from_at, watts, sessions, connectors }: Row, nowMs: number): ConnectorPlan => {
  const skipped = Math.max(0, Math.floor((nowMs - from_at.getTime()) / quarterMs))
  const share = new Set(sessions.map(({ evse }) => evse)).size || connectors
  return {
    fromMs: from_at.getTime() + skipped * quarterMs,
    watts: watts.slice(skipped).map((watt) => Math.floor(watt / share)),
  }
}

/** Identifies what a charger received; sent again for a new plan, car or connection, and hourly, because a charger may store few periods. */
const nameOf = ({ plan_id, watts, generation, sessions }: Row, nowMs: number) =>
  [plan_id, watts.length, generation, ...sessions.map(({ no }) => no), Math.floor(nowMs / (4 * quarterMs))].join(' ')

const ofSite = 'site'

export const followPlans = (app: App, connectionOf: (chargerId: string) => Connection | null) => {
  const { records, clock, log } = app
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const saveSent = (
    { customer_id, charger_id, plan_id }: Row,
    columns: Pick<RowOf<'charger_schedule'>, 'told' | 'told_at' | 'answer'>,
  ) =>
    records.system((tx) =>
      updateRows(tx, customer_id, 'charger_schedule', { charger_id, plan_id }).set(columns).execute(),
    )

  const clear = async ({ connectors }: Row, connection: Connection): Promise<boolean> => {
    for (let evse = 1; evse <= connectors; evse++) if (!(await clearPlan(connection, evse))) return false
    return true
  }

  /** The row is deleted once the charger confirms, in the process with its socket; without a connection the profile ends with its last quarter. */
  const end = async (row: Row, connection: Connection | null) => {
    if (row.told !== ofSite && !(connection && (await clear(row, connection)))) return
    await records.system((tx) =>
      deleteRows(tx, row.customer_id, 'charger_schedule', { charger_id: row.charger_id, plan_id: row.plan_id })
        .where(sql<boolean>`cardinality(watts) = ${row.watts.length}`)
        .execute(),
    )
  }

  const send = async (row: Row, connection: Connection, nowMs: number) => {
    const plan = connectorPlan(row, nowMs)
    const phases = phasesOf(row.site_phases).length === 1 ? (1 as const) : (3 as const)
    const answers: string[] = []
    for (let evse = 1; evse <= row.connectors; evse++) {
      const session = row.sessions.find((one) => one.evse === evse)
      const running = session ? { transactionNo: session.no, transactionId: session.id } : null
      const { isSilent, refusal } = await setPlan(connection, { evse, phases }, plan, running)
      if (isSilent) return
      answers.push(refusal ?? 'Accepted')
    }
    const answer = answers.find((one) => one !== 'Accepted') ?? 'Accepted'
    await saveSent(row, { told: nameOf(row, nowMs), told_at: new Date(clock.now()), answer })
  }

  const follow = async (row: Row) => {
    const nowMs = clock.now()
    const connection = connectionOf(row.charger_id)
    const endMs = row.from_at.getTime() + row.watts.length * quarterMs
    if (endMs <= nowMs) return end(row, connection)
    if (row.site_id !== null) {
      // A profile from before the charger joined the site would limit it in addition to the site's limits.
      if (row.told !== ofSite && connection && (await clear(row, connection)))
        await saveSent(row, { told: ofSite, told_at: new Date(nowMs), answer: 'Accepted' })
      return
    }
    if (connection && row.told !== nameOf(row, nowMs)) await send(row, connection, nowMs)
  }

  const failed = (error: unknown) => log.warn({ err: error }, 'a plan was not sent to its charger')
  const all = async () => {
    const rows = await records.system(findRows)
    await Promise.all(rows.map((row) => follow(row).catch(failed)))
  }
  const tick = (): Promise<void> => {
    next ??= running.then(() => {
      next = undefined
      running = all().catch(failed)
      return running
    })
    return next
  }
  const timer = setInterval(() => void tick(), minuteMs).unref()
  const stop = app.bus.listen('charger-schedule', () => void tick())
  return {
    tick,
    close: async () => {
      clearInterval(timer)
      stop()
      await (next ?? running)
    },
  }
}
