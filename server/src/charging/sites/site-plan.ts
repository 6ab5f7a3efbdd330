import { minuteMs } from '@gridmast/contract/time.ts'
import type { Updateable } from 'kysely'
import type { Clock } from '#platform/process/clock.ts'
import type { ChargerLimit } from '#platform/records/db-types.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, updateRows } from '#platform/records/rows.ts'
import { nextLimits } from './load-balancing.ts'
import { allowedA, connectorOf, isSteerable, maxHeldA, readSite, sessionA, type SiteRow } from './site-connectors.ts'
import { wattsOf } from './smart-charging.ts'

const limitLifeMs = 5 * minuteMs
const renewAfterMs = 2 * minuteMs
const followWithinMs = minuteMs
/** A slight excess is measurement error or voltage. */
const toleranceA = 1.5

export type Site = { customerId: string; siteId: string; fallbackA: number }
export type Limit = { row: SiteRow; amperes: number; fromMs: number; untilMs: number }
type SitePlan = { site: Site; limits: Limit[]; withoutFallback: SiteRow[]; toRelease: SiteRow[] }

/** Power by key of the EVSE. */
export type MeasuredPower = Map<string, { watt: number; atMs: number }>
type PlanInput = { measured: MeasuredPower; isFree: (row: SiteRow) => boolean; clock: Clock }

export const evseKey = ({ charger_id, evse_no }: SiteRow): string => `${charger_id} ${evse_no}`

export const updateLimit = (
  tx: Tx,
  { customerId }: Site,
  { charger_id, evse_no }: SiteRow,
  columns: Updateable<ChargerLimit>,
) => updateRows(tx, customerId, 'charger_limit', { charger_id, evse_no }).set(columns).execute()

const addMissingLimits = async (tx: Tx, { customerId }: Site, rows: readonly SiteRow[], nowMs: number) => {
  const missing = rows.filter(({ changed_at }) => changed_at === null)
  for (const { charger_id, evse_no } of missing)
    await insertRow(tx, customerId, 'charger_limit', { charger_id, evse_no, changed_at: new Date(nowMs) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const measurementOf = (row: SiteRow, { watt, atMs }: { watt: number; atMs: number }, nowMs: number) => {
  const amperes = watt / wattsOf(1, row.phases.length)
  const allowed = Math.max(sessionA(row, nowMs) ?? Infinity, row.sent_a ?? 0)
  const isSettled = (row.changed_at?.getTime() ?? nowMs) < nowMs - followWithinMs
  const exceeds = amperes > allowed + toleranceA && (row.exceeds || isSettled)
  return { measured_w: Math.round(watt), measured_at: new Date(atMs), exceeds }
}

const saveMeasurements = async (
  tx: Tx,
  site: Site,
  rows: readonly SiteRow[],
  measured: MeasuredPower,
  nowMs: number,
) => {
  for (const row of rows) {
    const value = measured.get(evseKey(row))
    if (!value || value.atMs === row.measured_at?.getTime()) continue
    await updateLimit(tx, site, row, measurementOf(row, value, nowMs))
  }
}

const isDue = (row: SiteRow, amperes: number, nowMs: number) =>
  row.session_no !== row.no ||
  row.confirmed_a !== amperes ||
  (row.confirmed_until?.getTime() ?? 0) < nowMs + limitLifeMs - renewAfterMs

/** The amperes of an EVSE with an excess stay at its confirmed or allowed limit. */
const limitsOf = (rows: readonly SiteRow[], limitA: number, { fallbackA }: Site, nowMs: number) => {
  const next = nextLimits(
    limitA,
    rows.map((row) => connectorOf(row, fallbackA, nowMs)),
  )
  return rows.flatMap((row): Limit[] => {
    const amperes = row.exceeds
      ? Math.min(row.confirmed_a ?? Infinity, allowedA(row, nowMs) ?? Infinity)
      : next.get(evseKey(row))
    if (row.no === null || !isSteerable(row)) return []
    if (amperes === undefined || amperes === Infinity || !isDue(row, amperes, nowMs)) return []
    return [{ row, amperes, fromMs: nowMs, untilMs: nowMs + limitLifeMs }]
  })
}

/** Locks the row of the site, so that all processes plan one after the other from the same rows. */
export const planSite = async (
  tx: Tx,
  siteId: string,
  { measured, isFree, clock }: PlanInput,
): Promise<SitePlan | null> => {
  const stored = await tx
    .selectFrom('charging_site')
    .select(['customer_id', 'limit_a', 'reserve_a', 'fallback_a'])
    .where('site_id', '=', siteId)
    .forUpdate()
    .executeTakeFirst()
  if (!stored) return null
  const nowMs = clock.now()
  const site = { customerId: stored.customer_id, siteId, fallbackA: stored.fallback_a }
  const before = await readSite(tx, site.customerId, siteId, nowMs)
  await addMissingLimits(tx, site, before, nowMs)
  await saveMeasurements(tx, site, before, measured, nowMs)
  const rows = await readSite(tx, site.customerId, siteId, nowMs)
  const limitA = stored.limit_a - stored.reserve_a
  const limits = limitsOf(rows, limitA, site, nowMs).filter(({ row }) => isFree(row))
  for (const { row, amperes, untilMs } of limits)
    // Until the answer arrives both limits are possible: the previous and the sent one.
    await updateLimit(tx, site, row, { sent_a: Math.max(amperes, row.heldA), sent_until: new Date(untilMs) })
  const free = rows.filter(isFree)
  return {
    site,
    limits,
    withoutFallback: free.filter((row) => isSteerable(row) && row.fallback_a !== site.fallbackA),
    // Its whole power is reserved: once the other EVSEs have reduced theirs, its fallback no longer limits it.
    toRelease: free.filter((row) => !isSteerable(row) && row.fallback_a !== null && maxHeldA(rows) <= limitA),
  }
}
