import { minuteMs } from '@gridmast/contract/time.ts'
import type { Nullable } from 'kysely'
import { wattsAt } from './plans.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, type RowOf, updateRows } from '#platform/records/rows.ts'
import { minChargingA, type Connector, type Phase, phasesOf, sitePhases } from './load-balancing.ts'
import { wattsOf } from './smart-charging.ts'

/** A charger's clock may be off by this much: until then its limit does not count as expired. */
const clockMarginMs = 5 * minuteMs
const measuredMs = 3 * minuteMs

const readRows = async (tx: Tx, customerId: string, siteId: string) =>
  sqlRows<
    RowOf<'charger', 'charger_id' | 'name' | 'online' | 'connectors' | 'max_kw' | 'site_phases'> &
      Nullable<Omit<RowOf<'charger_limit'>, 'customer_id' | 'charger_id' | 'evse_no'>> &
      Nullable<RowOf<'charger_transaction', 'no' | 'ocpp_id' | 'started_at'>> & {
        evse_no: number
        plan_from: Date | null
        plan_watts: number[] | null
        priority: number | null
      }
  >(tx)`
      select c.charger_id, c.name, c.online, c.connectors, c.max_kw, c.site_phases, e.evse_no,
        l.fallback_a, l.follows, l.session_no, l.confirmed_a, l.confirmed_until, l.sent_a, l.sent_until, l.refusal, l.told_a,
        l.measured_w, l.measured_at, l.exceeds, l.changed_at,
        l.hand_a, l.hand_until, l.hand_reason, l.hand_by, p.from_at as plan_from, p.watts as plan_watts, t.no, t.ocpp_id, t.started_at, t.priority
      from charger c
      cross join lateral generate_series(1, c.connectors) as e (evse_no)
      left join charger_limit l on l.customer_id = c.customer_id and l.charger_id = c.charger_id and l.evse_no = e.evse_no
      left join charger_schedule p on p.customer_id = c.customer_id and p.charger_id = c.charger_id
      left join lateral (
        select s.no, s.ocpp_id, s.started_at, g.priority from charger_transaction s
        left join charger_tag a on a.customer_id = s.customer_id and a.tag_id = s.tag_id
        left join charger_tag_group g on g.customer_id = a.customer_id and g.group_id = a.group_id
        where s.customer_id = c.customer_id and s.charger_id = c.charger_id and s.evse_no = e.evse_no
          and s.state in ('starting', 'active') and not s.refused
        order by s.started_at desc limit 1) t on true
      where c.customer_id = ${customerId} and c.site_id = ${siteId} and c.enabled
      order by c.position, c.charger_id, e.evse_no`

export type SiteRow = Awaited<ReturnType<typeof readRows>>[number] & {
  exceeds: boolean
  phases: readonly Phase[]
  maxA: number
  heldA: number
  plannedA: number | null
}

export const isSteerable = ({ follows }: { follows: boolean | null }): boolean => follows !== false

export const manualA = ({ hand_a, hand_until }: SiteRow, nowMs: number): number | null =>
  hand_a !== null && hand_until !== null && hand_until.getTime() > nowMs ? hand_a : null

export const allowedA = (row: SiteRow, nowMs: number): number | null => {
  const caps = [manualA(row, nowMs), row.plannedA].filter((amperes) => amperes !== null)
  return caps.length > 0 ? Math.min(...caps) : null
}

export const isFresh = ({ measured_at }: { measured_at: Date | null }, nowMs: number): boolean =>
  measured_at !== null && measured_at.getTime() > nowMs - measuredMs

export const maxHeldA = (rows: readonly SiteRow[]): number =>
  Math.max(
    ...sitePhases.map((phase) =>
      rows.filter(({ phases }) => phases.includes(phase)).reduce((sum, { heldA }) => sum + heldA, 0),
    ),
  )

const isValid = (until: Date | null, nowMs: number) => until !== null && until.getTime() + clockMarginMs > nowMs

const confirmedA = (row: Pick<SiteRow, 'no' | 'session_no' | 'confirmed_a' | 'confirmed_until'>, nowMs: number) =>
  row.no !== null && row.session_no === row.no && isValid(row.confirmed_until, nowMs) ? row.confirmed_a : null

export const sessionA = (row: SiteRow, nowMs: number): number | null =>
  row.no === null ? null : (confirmedA(row, nowMs) ?? (isSteerable(row) ? row.fallback_a : null))

/** A measured power counts only for its own session and while it is current. */
const isExceeding = (row: Awaited<ReturnType<typeof readRows>>[number], nowMs: number): boolean =>
  row.exceeds === true &&
  row.no !== null &&
  isFresh(row, nowMs) &&
  (row.measured_at?.getTime() ?? 0) >= (row.started_at?.getTime() ?? 0)

/** An EVSE without confirmed limits, or one that refuses them, may draw its maximum. */
const heldOf = (row: Omit<SiteRow, 'heldA' | 'plannedA'>, nowMs: number): number => {
  const base = isSteerable(row) ? (row.fallback_a ?? row.maxA) : row.maxA
  const confirmed = confirmedA(row, nowMs) ?? 0
  const sent = isValid(row.sent_until, nowMs) ? (row.sent_a ?? 0) : 0
  const measured = row.exceeds ? Math.ceil((row.measured_w ?? 0) / wattsOf(1, row.phases.length)) : 0
  return Math.max(base, confirmed, sent, measured)
}

export const readSite = async (tx: Tx, customerId: string, siteId: string, nowMs: number): Promise<SiteRow[]> => {
  const rows = await readRows(tx, customerId, siteId)
  const busy = Map.groupBy(
    rows.filter(({ no }) => no !== null),
    ({ charger_id }) => charger_id,
  )
  return rows.map((row) => {
    const phases = phasesOf(row.site_phases)
    const maxA = Math.max(minChargingA, Math.floor((Number(row.max_kw) * 1000) / wattsOf(1, phases.length)))
    const connector = { ...row, exceeds: isExceeding(row, nowMs), phases, maxA }
    const watts = row.plan_from && wattsAt({ fromMs: row.plan_from.getTime(), watts: row.plan_watts ?? [] }, nowMs)
    const share = busy.get(row.charger_id)?.length ?? row.connectors
    const plannedA = watts === null ? null : Math.floor(watts / share / wattsOf(1, phases.length) + 0.02)
    return { ...connector, heldA: heldOf(connector, nowMs), plannedA }
  })
}

export const connectorOf = (row: SiteRow, fallbackA: number, nowMs: number): Connector => ({
  id: `${row.charger_id} ${row.evse_no}`,
  phases: row.phases,
  heldA: row.heldA,
  maxA: Math.min(row.maxA, allowedA(row, nowMs) ?? row.maxA),
  fallbackA: row.fallback_a ?? fallbackA,
  isCharging: row.no !== null && isSteerable(row) && row.fallback_a !== null && !row.exceeds,
  isReachable: row.online && isSteerable(row) && row.fallback_a !== null,
  priority: row.priority ?? 1,
  sinceMs: row.started_at?.getTime() ?? 0,
})

/** A charger that has rebooted may have lost its profiles, and may accept what it refused before. */
export const forgetProfiles = (tx: Tx, { customerId, chargerId }: { customerId: string; chargerId: string }) =>
  updateRows(tx, customerId, 'charger_limit', { charger_id: chargerId })
    .set({ follows: true, fallback_a: null, told_a: null })
    .execute()
