import { minuteMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import type { Charger } from '#charging/ledger/directory.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import { endFallback, releaseRemoved, sendFallback, sendLimit } from './send-limits.ts'
import type { SiteRow } from './site-connectors.ts'
import { evseKey, type MeasuredPower, planSite, type Site } from './site-plan.ts'
import { saveSitePower } from './site-power.ts'
import { openRuns } from './site-runs.ts'

/** Keeps the power of a site's EVSEs below its limit. Each process sends limits to the chargers connected to it. */

const tickMs = minuteMs
const lookUpDelayMs = 20

const findSites = (tx: Tx) => tx.selectFrom('charging_site').select(['customer_id', 'site_id']).execute()

const findSitesOf = (tx: Tx, chargerIds: readonly string[]) =>
  sqlRows<{ site_id: string }>(tx)`
    select distinct site_id from charger where charger_id = any(${chargerIds}::uuid[]) and site_id is not null`

export const openBalancer = (app: App, connectionOf: (chargerId: string) => Connection | null) => {
  const { records, clock, live, bus, log } = app
  const chargers = { records, clock, connectionOf }
  const measured: MeasuredPower = new Map()
  const busy = new Set<string>()
  const sending = new Set<Promise<void>>()
  const changedChargers = new Set<string>()
  let lookUpTimer: NodeJS.Timeout | undefined
  let isClosed = false

  const logFailure = (error: unknown) => log.warn({ err: error }, 'load balancing: a site was not planned')

  /** Connected to this process, and nothing is being sent to it. */
  const isFree = (row: SiteRow) => connectionOf(row.charger_id) !== null && !busy.has(evseKey(row))

  const send = async ({ customerId, siteId }: Site, row: SiteRow, change: () => Promise<boolean>) => {
    busy.add(evseKey(row))
    const isChanged = await change().catch((error: unknown) => {
      logFailure(error)
      return false
    })
    busy.delete(evseKey(row))
    if (!isChanged || isClosed) return
    if (live.hasListeners(customerId)) live.publish(customerId, 'charger', { chargerId: row.charger_id })
    plans.runSoon(siteId)
  }

  const startSending = (site: Site, row: SiteRow, change: () => Promise<boolean>) => {
    const done = send(site, row, change).finally(() => sending.delete(done))
    sending.add(done)
  }

  const planAndSend = async (siteId: string) => {
    const plan = await records.system((tx) => planSite(tx, siteId, { measured, isFree, clock }))
    releases.run('removed')
    if (!plan || isClosed) return
    const { site } = plan
    for (const limit of plan.limits) startSending(site, limit.row, () => sendLimit(chargers, site, limit))
    for (const row of plan.withoutFallback) startSending(site, row, () => sendFallback(chargers, site, row))
    for (const row of plan.toRelease) startSending(site, row, () => endFallback(chargers, site, row))
  }

  const plans = openRuns(planAndSend, logFailure)
  const releases = openRuns(() => releaseRemoved(chargers), logFailure)

  const lookUpSites = async () => {
    lookUpTimer = undefined
    const chargerIds = [...changedChargers]
    changedChargers.clear()
    for (const { site_id } of await records.system((tx) => findSitesOf(tx, chargerIds))) {
      plans.runSoon(site_id)
      bus.broadcast('charging-site', site_id)
    }
  }

  const tick = async () => {
    const sites = await records.system(findSites)
    for (const { site_id } of sites) plans.run(site_id)
    releases.run('removed')
    await plans.settled()
    for (const { customer_id, site_id } of sites) await saveSitePower(app, customer_id, site_id)
  }

  const timer = setInterval(() => void tick().catch(logFailure), tickMs).unref()
  const stops = [
    bus.listen('charging-site', (siteId) => typeof siteId === 'string' && plans.runSoon(siteId)),
    bus.listen('resync', () => void tick().catch(logFailure)),
  ]

  return {
    /** All processes plan the site of the charger again; changes of one moment, such as a storm of boots, are looked up together. */
    changed: ({ chargerId }: Charger) => {
      if (isClosed) return
      changedChargers.add(chargerId)
      lookUpTimer ??= setTimeout(() => void lookUpSites().catch(logFailure), lookUpDelayMs)
    },
    measured: ({ chargerId }: Charger, evse: number, watt: number, atMs: number) =>
      void measured.set(`${chargerId} ${evse}`, { watt, atMs }),
    tick,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      clearTimeout(lookUpTimer)
      for (const stop of stops) stop()
      await Promise.all([plans.close(), releases.close(), ...sending])
    },
  }
}
