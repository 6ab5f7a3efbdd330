import { minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, updateRows } from '#platform/records/rows.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import type { Charger } from '#charging/ledger/directory.ts'
import { nextLimits } from './load-balancing.ts'
import { allowedA, isSteerable, mostHeld, outletOf, readSite, sessionA, type SiteRow } from './site-outlets.ts'
import { askSchedule, clearFallback, setFallback, setSessionLimit, type Told, wattsOf } from './smart-charging.ts'
import { saveSitePower } from './site-power.ts'

/**
 * Keeps the power of a site's EVSEs below its limit. Planning locks the row of the site, so all processes plan one after the other from the same
 * rows; each process sends limits to the chargers connected to it.
 */

const lifeMs = 5 * minuteMs
const renewMs = 2 * minuteMs
const everyMs = minuteMs
const settleMs = 100
const lookUpMs = 20
const followMs = minuteMs
/** A slight excess is measurement error or voltage. */
const toleranceA = 1.5

type Site = { customerId: string; siteId: string; fallbackA: number }
type Plan = { site: Site; sends: Send[]; bare: SiteRow[]; freed: SiteRow[] }
type Send = { row: SiteRow; amperes: number; fromMs: number; untilMs: number }

const keyOf = ({ charger_id, evse_no }: SiteRow) => `${charger_id} ${evse_no}`

const rowOf = (tx: Tx, { customerId }: Site, { charger_id, evse_no }: SiteRow) =>
  updateRows(tx, customerId, 'charger_limit', { charger_id, evse_no })

const isDue = (row: SiteRow, amperes: number, nowMs: number) =>
  row.session_no !== row.no ||
  row.confirmed_a !== amperes ||
  (row.confirmed_until?.getTime() ?? 0) < nowMs + lifeMs - renewMs

export const openBalancer = (app: App, connectionOf: (chargerId: string) => Connection | null) => {
  const { records, readings, clock, live, bus, log } = app
  const waiting = new Map<string, NodeJS.Timeout>()
  const running = new Map<string, Promise<void>>()
  const measured = new Map<string, { watt: number; atMs: number }>()
  const underWay = new Set<string>()
  const telling = new Set<Promise<void>>()
  let isClosed = false

  const failed = (error: unknown) => log.warn({ err: error }, 'load balancing: site not planned')

  const refresh = async (tx: Tx, site: Site, rows: readonly SiteRow[], nowMs: number) => {
    const own = { customer_id: site.customerId, changed_at: new Date(nowMs) }
    const missing = rows.filter(({ changed_at }) => changed_at === null)
    if (missing.length > 0)
      await tx
        .insertInto('charger_limit')
        .values(missing.map(({ charger_id, evse_no }) => ({ ...own, charger_id, evse_no })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (const row of rows) {
      const now = measured.get(keyOf(row))
      if (!now || now.atMs === row.measured_at?.getTime()) continue
      const amperes = now.watt / wattsOf(1, row.phases.length)
      const allowed = Math.max(sessionA(row, nowMs) ?? Infinity, row.sent_a ?? 0)
      const isSettled = (row.changed_at?.getTime() ?? nowMs) < nowMs - followMs
      const exceeds = amperes > allowed + toleranceA && (row.exceeds || isSettled)
      Object.assign(row, { measured_w: now.watt, measured_at: new Date(now.atMs), exceeds })
      await rowOf(tx, site, row)
        .set({ measured_w: Math.round(now.watt), measured_at: new Date(now.atMs), exceeds })
        .execute()
    }
  }

  const plan = async (siteId: string): Promise<Plan | null> =>
    records.system(async (tx) => {
      const found = await tx
        .selectFrom('charging_site')
        .select(['customer_id', 'limit_a', 'reserve_a', 'fallback_a'])
        .where('site_id', '=', siteId)
        .forUpdate()
        .executeTakeFirst()
      if (!found) return null
      const nowMs = clock.now()
      const site = { customerId: found.customer_id, siteId, fallbackA: found.fallback_a }
      await refresh(tx, site, await readSite(tx, site.customerId, siteId, nowMs), nowMs)
      const rows = await readSite(tx, site.customerId, siteId, nowMs)
      const limitA = found.limit_a - found.reserve_a
      const next = nextLimits(
        limitA,
        rows.map((row) => outletOf(row, found.fallback_a, nowMs)),
      )
      const sends: Send[] = []
      for (const row of rows) {
        const amperes = row.exceeds
          ? Math.min(row.confirmed_a ?? Infinity, allowedA(row, nowMs) ?? Infinity)
          : next.get(keyOf(row))
        const isOurs = row.no !== null && isSteerable(row) && connectionOf(row.charger_id) !== null
        if (
          amperes === undefined ||
          amperes === Infinity ||
          !isOurs ||
          underWay.has(keyOf(row)) ||
          !isDue(row, amperes, nowMs)
        )
          continue
        const until = new Date(nowMs + lifeMs)
        // Until the answer arrives both limits are possible: the previous and the sent one.
        await rowOf(tx, site, row)
          .set({ sent_a: Math.max(amperes, row.heldA), sent_until: until })
          .execute()
        sends.push({ row, amperes, fromMs: nowMs, untilMs: until.getTime() })
      }
      const free = rows.filter((row) => connectionOf(row.charger_id) !== null && !underWay.has(keyOf(row)))
      const bare = free.filter((row) => isSteerable(row) && row.fallback_a !== found.fallback_a)
      // Its whole power is reserved: once the other EVSEs have reduced theirs, its fallback no longer limits it.
      const freed = free.filter((row) => !isSteerable(row) && row.fallback_a !== null && mostHeld(rows) <= limitA)
      return { site, sends, bare, freed }
    })

  const settled = (site: Site, row: SiteRow, told: Told, given: Send) =>
    records.system((tx) => {
      const now = new Date(clock.now())
      if (told.isSilent) return rowOf(tx, site, row).set({ changed_at: now }).execute()
      const free = { sent_a: null, sent_until: null, changed_at: now, refusal: told.refusal }
      if (!told.isTaken)
        return rowOf(tx, site, row)
          .set({ ...free, follows: false, session_no: row.no })
          .execute()
      return rowOf(tx, site, row)
        .set({
          ...free,
          follows: true,
          session_no: row.no,
          confirmed_a: given.amperes,
          confirmed_until: new Date(given.untilMs),
        })
        .execute()
    })

  const tellLimit = async (site: Site, given: Send) => {
    const { row, amperes } = given
    const connection = connectionOf(row.charger_id)
    if (!connection || row.no === null) return false
    const outlet = { evse: row.evse_no, phases: row.phases.length === 1 ? (1 as const) : (3 as const) }
    const session = { transactionNo: row.no, transactionId: row.ocpp_id }
    const told = await setSessionLimit(connection, outlet, amperes, session, given)
    await settled(site, row, told, given)
    if (!told.isTaken || row.confirmed_a === amperes) return told.isTaken
    const toldA = await askSchedule(connection, outlet)
    await records.system((tx) =>
      rowOf(tx, site, row)
        .set({ told_a: toldA?.toFixed(1) ?? null })
        .execute(),
    )
    return true
  }

  const tellFallback = async (site: Site, row: SiteRow) => {
    const connection = connectionOf(row.charger_id)
    if (!connection) return false
    const outlet = { evse: row.evse_no, phases: row.phases.length === 1 ? (1 as const) : (3 as const) }
    const told = await setFallback(connection, outlet, site.fallbackA, row.connectors, clock.now())
    // A lower fallback counts once it is accepted, a higher one at once, answered or not.
    const known = told.isTaken ? site.fallbackA : row.fallback_a
    const kept = told.isSilent && known !== null ? Math.max(known, site.fallbackA) : known
    await records.system((tx) =>
      rowOf(tx, site, row)
        .set({ fallback_a: kept, refusal: told.refusal, changed_at: new Date(clock.now()) })
        .execute(),
    )
    return told.isTaken
  }

  const endFallback = async (site: Site, row: SiteRow) => {
    const connection = connectionOf(row.charger_id)
    if (!connection || (await clearFallback(connection, row.evse_no)).kind !== 'answered') return false
    await records.system((tx) =>
      rowOf(tx, site, row)
        .set({ fallback_a: null, changed_at: new Date(clock.now()) })
        .execute(),
    )
    return true
  }

  const begin = (site: Site, row: SiteRow, tell: () => Promise<boolean>) => {
    underWay.add(keyOf(row))
    const done = tell()
      .catch((error: unknown) => {
        failed(error)
        return false
      })
      .then((isChanged) => {
        underWay.delete(keyOf(row))
        telling.delete(done)
        if (!isChanged || isClosed) return
        if (live.hasListeners(site.customerId)) live.publish(site.customerId, 'charger', { chargerId: row.charger_id })
        touch(site.siteId)
      })
    telling.add(done)
  }

  const work = async (siteId: string) => {
    const planned = await plan(siteId)
    release()
    if (!planned || isClosed) return
    const { site, sends, bare, freed } = planned
    for (const one of sends) begin(site, one.row, () => tellLimit(site, one))
    for (const row of bare) begin(site, row, () => tellFallback(site, row))
    for (const row of freed) begin(site, row, () => endFallback(site, row))
  }

  const run = (siteId: string) => {
    const before = running.get(siteId) ?? Promise.resolve()
    const next = before.then(() => (isClosed ? undefined : work(siteId))).catch(failed)
    running.set(siteId, next)
  }
  const touch = (siteId: string) => {
    if (isClosed || waiting.has(siteId)) return
    const timer = setTimeout(() => {
      waiting.delete(siteId)
      run(siteId)
    }, settleMs)
    waiting.set(siteId, timer)
  }

  const toPlan = new Set<string>()
  let looking: NodeJS.Timeout | undefined
  const findSites = (chargerIds: readonly string[]) =>
    records.system((tx) =>
      tx
        .selectFrom('charger')
        .select('site_id')
        .distinct()
        .where(sql<boolean>`charger_id = any(${chargerIds}::uuid[])`)
        .where('site_id', 'is not', null)
        .execute(),
    )
  const lookUp = async () => {
    looking = undefined
    const chargerIds = [...toPlan]
    toPlan.clear()
    for (const { site_id } of await findSites(chargerIds)) {
      if (!site_id) continue
      touch(site_id)
      bus.broadcast('charging-site', site_id)
    }
  }
  /** A charger changed: all processes plan its site again; changes of one moment, such as a storm of boots, are looked up together. */
  const changed = ({ chargerId }: Charger) => {
    if (isClosed) return
    toPlan.add(chargerId)
    looking ??= setTimeout(() => void lookUp().catch(failed), lookUpMs)
  }

  const releaseLeft = async () => {
    const left = await records.system((tx) =>
      tx
        .selectFrom('charger_limit as l')
        .innerJoin('charger as c', (join) =>
          join.onRef('c.customer_id', '=', 'l.customer_id').onRef('c.charger_id', '=', 'l.charger_id'),
        )
        .select(['l.customer_id', 'l.charger_id', 'l.evse_no'])
        .where('c.site_id', 'is', null)
        .execute(),
    )
    for (const row of left) {
      const connection = connectionOf(row.charger_id)
      if (!connection || (await clearFallback(connection, row.evse_no)).kind !== 'answered') continue
      await records.system((tx) =>
        deleteRows(tx, row.customer_id, 'charger_limit', {
          charger_id: row.charger_id,
          evse_no: row.evse_no,
        }).execute(),
      )
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
        return isClosed ? undefined : releaseLeft()
      })
      .catch(failed)
  }

  const tick = async () => {
    const sites = await records.system((tx) =>
      tx.selectFrom('charging_site').select(['customer_id', 'site_id']).execute(),
    )
    for (const { site_id } of sites) run(site_id)
    release()
    await Promise.all(running.values())
    for (const { customer_id, site_id } of sites)
      await saveSitePower(records, readings, customer_id, site_id, clock.now())
  }
  const timer = setInterval(() => void tick().catch(failed), everyMs).unref()
  const stops = [
    bus.listen('charging-site', (told) => typeof told === 'string' && touch(told)),
    bus.listen('resync', () => void tick().catch(failed)),
  ]

  return {
    changed,
    measured: ({ chargerId }: Charger, evse: number, watt: number, atMs: number) =>
      void measured.set(`${chargerId} ${evse}`, { watt, atMs }),
    tick,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      clearTimeout(looking)
      for (const one of waiting.values()) clearTimeout(one)
      for (const stop of stops) stop()
      await Promise.all([...running.values(), ...telling, releasing])
    },
  }
}
