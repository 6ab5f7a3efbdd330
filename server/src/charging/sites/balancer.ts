import { minuteMs } from '@gridmast/contract/time.ts'
import type { Updateable } from 'kysely'
import type { App } from '#context.ts'
import type { ChargerLimit } from '#platform/records/db-types.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, deleteRows, insertRow, sqlRows, updateRows } from '#platform/records/rows.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import type { Charger } from '#charging/ledger/directory.ts'
import { nextLimits } from './load-balancing.ts'
import { allowedA, isSteerable, maxHeldA, connectorOf, readSite, sessionA, type SiteRow } from './site-connectors.ts'
import {
  clearFallback,
  type ProfileAnswer,
  readSchedule,
  setFallback,
  setSessionLimit,
  wattsOf,
} from './smart-charging.ts'
import { saveSitePower } from './site-power.ts'

/**
 * Keeps the power of a site's EVSEs below its limit. Planning locks the row of the site, so all processes plan one after the other from the same
 * rows; each process sends limits to the chargers connected to it.
 */

const limitLifeMs = 5 * minuteMs
const renewAfterMs = 2 * minuteMs
const tickMs = minuteMs
const collectMs = 100
const lookUpDelayMs = 20
const followWithinMs = minuteMs
/** A slight excess is measurement error or voltage. */
const toleranceA = 1.5

type Site = { customerId: string; siteId: string; fallbackA: number }
type Plan = { site: Site; limits: Limit[]; withoutFallback: SiteRow[]; toRelease: SiteRow[] }
type Limit = { row: SiteRow; amperes: number; fromMs: number; untilMs: number }

const keyOf = ({ charger_id, evse_no }: SiteRow) => `${charger_id} ${evse_no}`

const evseOf = (row: SiteRow) => ({
  evse: row.evse_no,
  phases: row.phases.length === 1 ? (1 as const) : (3 as const),
})

const isDue = (row: SiteRow, amperes: number, nowMs: number) =>
  row.session_no !== row.no ||
  row.confirmed_a !== amperes ||
  (row.confirmed_until?.getTime() ?? 0) < nowMs + limitLifeMs - renewAfterMs

export const openBalancer = (app: App, connectionOf: (chargerId: string) => Connection | null) => {
  const { records, clock, live, bus, log } = app
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Map<string, Promise<void>>()
  const measured = new Map<string, { watt: number; atMs: number }>()
  const busy = new Set<string>()
  const sending = new Set<Promise<void>>()
  let isClosed = false

  const updateLimit = (tx: Tx, site: Site, { charger_id, evse_no }: SiteRow, columns: Updateable<ChargerLimit>) =>
    updateRows(tx, site.customerId, 'charger_limit', { charger_id, evse_no }).set(columns).execute()

  const logFailure = (error: unknown) => log.warn({ err: error }, 'load balancing: a site was not planned')

  const saveMeasurements = async (tx: Tx, site: Site, rows: readonly SiteRow[], nowMs: number) => {
    const missing = rows.filter(({ changed_at }) => changed_at === null)
    for (const { charger_id, evse_no } of missing)
      await insertRow(tx, site.customerId, 'charger_limit', { charger_id, evse_no, changed_at: new Date(nowMs) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (const row of rows) {
      const value = measured.get(keyOf(row))
      if (!value || value.atMs === row.measured_at?.getTime()) continue
      const amperes = value.watt / wattsOf(1, row.phases.length)
      const allowed = Math.max(sessionA(row, nowMs) ?? Infinity, row.sent_a ?? 0)
      const isSettled = (row.changed_at?.getTime() ?? nowMs) < nowMs - followWithinMs
      const exceeds = amperes > allowed + toleranceA && (row.exceeds || isSettled)
      const measurement = { measured_w: Math.round(value.watt), measured_at: new Date(value.atMs) }
      await updateLimit(tx, site, row, { ...measurement, exceeds })
    }
  }

  /** Connected to this process, and nothing is being sent to it. */
  const isFree = (row: SiteRow) => connectionOf(row.charger_id) !== null && !busy.has(keyOf(row))

  const plan = async (siteId: string): Promise<Plan | null> =>
    records.system(async (tx) => {
      const stored = await tx
        .selectFrom('charging_site')
        .select(['customer_id', 'limit_a', 'reserve_a', 'fallback_a'])
        .where('site_id', '=', siteId)
        .forUpdate()
        .executeTakeFirst()
      if (!stored) return null
      const nowMs = clock.now()
      const site = { customerId: stored.customer_id, siteId, fallbackA: stored.fallback_a }
      await saveMeasurements(tx, site, await readSite(tx, site.customerId, siteId, nowMs), nowMs)
      const rows = await readSite(tx, site.customerId, siteId, nowMs)
      const limitA = stored.limit_a - stored.reserve_a
      const connectors = rows.map((row) => connectorOf(row, stored.fallback_a, nowMs))
      const next = nextLimits(limitA, connectors)
      const limits: Limit[] = []
      for (const row of rows) {
        const amperes = row.exceeds
          ? Math.min(row.confirmed_a ?? Infinity, allowedA(row, nowMs) ?? Infinity)
          : next.get(keyOf(row))
        if (!isFree(row) || row.no === null || !isSteerable(row)) continue
        if (amperes === undefined || amperes === Infinity || !isDue(row, amperes, nowMs)) continue
        const untilMs = nowMs + limitLifeMs
        // Until the answer arrives both limits are possible: the previous and the sent one.
        await updateLimit(tx, site, row, { sent_a: Math.max(amperes, row.heldA), sent_until: new Date(untilMs) })
        limits.push({ row, amperes, fromMs: nowMs, untilMs })
      }
      const free = rows.filter(isFree)
      const withoutFallback = free.filter((row) => isSteerable(row) && row.fallback_a !== stored.fallback_a)
      // Its whole power is reserved: once the other EVSEs have reduced theirs, its fallback no longer limits it.
      const toRelease = free.filter((row) => !isSteerable(row) && row.fallback_a !== null && maxHeldA(rows) <= limitA)
      return { site, limits, withoutFallback, toRelease }
    })

  const saveAnswer = (site: Site, answer: ProfileAnswer, { row, amperes, untilMs }: Limit) => {
    const changed_at = new Date(clock.now())
    const closed = { sent_a: null, sent_until: null, changed_at, refusal: answer.refusal, session_no: row.no }
    const confirmed = { ...closed, follows: true, confirmed_a: amperes, confirmed_until: new Date(untilMs) }
    const columns = answer.isSilent ? { changed_at } : answer.isAccepted ? confirmed : { ...closed, follows: false }
    return records.system((tx) => updateLimit(tx, site, row, columns))
  }

  const sendLimit = async (site: Site, limit: Limit) => {
    const { row, amperes } = limit
    const connection = connectionOf(row.charger_id)
    if (!connection || row.no === null) return false
    const session = { transactionNo: row.no, transactionId: row.ocpp_id }
    const answer = await setSessionLimit(connection, evseOf(row), amperes, session, limit)
    await saveAnswer(site, answer, limit)
    if (!answer.isAccepted || row.confirmed_a === amperes) return answer.isAccepted
    const reportedA = await readSchedule(connection, evseOf(row))
    await records.system((tx) => updateLimit(tx, site, row, { told_a: reportedA?.toFixed(1) ?? null }))
    return true
  }

  const sendFallback = async (site: Site, row: SiteRow) => {
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

  const endFallback = async (site: Site, row: SiteRow) => {
    const connection = connectionOf(row.charger_id)
    if (!connection || (await clearFallback(connection, row.evse_no)).kind !== 'answered') return false
    const columns = { fallback_a: null, changed_at: new Date(clock.now()) }
    await records.system((tx) => updateLimit(tx, site, row, columns))
    return true
  }

  const startSending = (site: Site, row: SiteRow, send: () => Promise<boolean>) => {
    busy.add(keyOf(row))
    const done = send()
      .catch((error: unknown) => {
        logFailure(error)
        return false
      })
      .then((isChanged) => {
        busy.delete(keyOf(row))
        sending.delete(done)
        if (!isChanged || isClosed) return
        if (live.hasListeners(site.customerId)) live.publish(site.customerId, 'charger', { chargerId: row.charger_id })
        planSoon(site.siteId)
      })
    sending.add(done)
  }

  const planAndSend = async (siteId: string) => {
    const planned = await plan(siteId)
    release()
    if (!planned || isClosed) return
    const { site, limits, withoutFallback, toRelease } = planned
    for (const limit of limits) startSending(site, limit.row, () => sendLimit(site, limit))
    for (const row of withoutFallback) startSending(site, row, () => sendFallback(site, row))
    for (const row of toRelease) startSending(site, row, () => endFallback(site, row))
  }

  const run = (siteId: string) => {
    const previous = running.get(siteId) ?? Promise.resolve()
    const next = previous.then(() => (isClosed ? undefined : planAndSend(siteId))).catch(logFailure)
    running.set(siteId, next)
  }
  const planSoon = (siteId: string) => {
    if (isClosed || timers.has(siteId)) return
    const timer = setTimeout(() => {
      timers.delete(siteId)
      run(siteId)
    }, collectMs)
    timers.set(siteId, timer)
  }

  const changedChargers = new Set<string>()
  let lookUpTimer: NodeJS.Timeout | undefined
  const findSites = (chargerIds: readonly string[]) =>
    records.system(
      (tx) =>
        sqlRows<{ site_id: string }>(tx)`
        select distinct site_id from charger where charger_id = any(${chargerIds}::uuid[]) and site_id is not null`,
    )
  const lookUp = async () => {
    lookUpTimer = undefined
    const chargerIds = [...changedChargers]
    changedChargers.clear()
    for (const { site_id } of await findSites(chargerIds)) {
      planSoon(site_id)
      bus.broadcast('charging-site', site_id)
    }
  }
  /** A charger changed: all processes plan its site again; changes of one moment, such as a storm of boots, are looked up together. */
  const changed = ({ chargerId }: Charger) => {
    if (isClosed) return
    changedChargers.add(chargerId)
    lookUpTimer ??= setTimeout(() => void lookUp().catch(logFailure), lookUpDelayMs)
  }

  const releaseRemoved = async () => {
    const removed = await records.system((tx) =>
      tx
        .selectFrom('charger_limit as l')
        .innerJoin('charger as c', onKey('c', 'l', 'charger_id'))
        .select(['l.customer_id', 'l.charger_id', 'l.evse_no'])
        .where('c.site_id', 'is', null)
        .execute(),
    )
    for (const row of removed) {
      const connection = connectionOf(row.charger_id)
      if (!connection || (await clearFallback(connection, row.evse_no)).kind !== 'answered') continue
      const { customer_id, ...key } = row
      await records.system((tx) => deleteRows(tx, customer_id, 'charger_limit', key).execute())
    }
  }

  let releasing = Promise.resolve()
  let isReleaseDue = false
  const release = () => {
    if (isReleaseDue) return
    isReleaseDue = true
    releasing = releasing
      .then(() => {
        isReleaseDue = false
        return isClosed ? undefined : releaseRemoved()
      })
      .catch(logFailure)
  }

  const tick = async () => {
    const sites = await records.system((tx) =>
      tx.selectFrom('charging_site').select(['customer_id', 'site_id']).execute(),
    )
    for (const { site_id } of sites) run(site_id)
    release()
    await Promise.all(running.values())
    for (const { customer_id, site_id } of sites) await saveSitePower(app, customer_id, site_id)
  }
  const timer = setInterval(() => void tick().catch(logFailure), tickMs).unref()
  const stops = [
    bus.listen('charging-site', (siteId) => typeof siteId === 'string' && planSoon(siteId)),
    bus.listen('resync', () => void tick().catch(logFailure)),
  ]

  return {
    changed,
    measured: ({ chargerId }: Charger, evse: number, watt: number, atMs: number) =>
      void measured.set(`${chargerId} ${evse}`, { watt, atMs }),
    tick,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      clearTimeout(lookUpTimer)
      for (const one of timers.values()) clearTimeout(one)
      for (const stop of stops) stop()
      await Promise.all([...running.values(), ...sending, releasing])
    },
  }
}
