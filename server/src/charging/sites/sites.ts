import * as contract from '@gridmast/contract/charging/charging-sites.ts'
import { m } from '@gridmast/contract/messages.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { ownRoute, route } from '#context.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Own } from '#platform/http/route.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  countRows,
  deleteRows,
  getRow,
  insertRow,
  lockCustomer,
  selectRows,
  updateRows,
} from '#platform/records/rows.ts'
import { lockGroup } from '#charging/tags/tag-groups.ts'
import { getCharger } from '#charging/chargers/fleet.ts'
import { minChargingA, phasesOf, sitePhases } from './load-balancing.ts'
import { manualA, isFresh, isSteerable, maxHeldA, readSite, sessionA, type SiteRow } from './site-connectors.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { byName } from '#platform/http/list-query.ts'

export const getSite = (tx: Tx, customerId: string, siteId: string) =>
  selectRows(tx, customerId, 'charging_site', { site_id: siteId })
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)

const manualLimitOf = (row: SiteRow, nowMs: number): contract.SiteConnector['byHand'] => {
  const limitA = manualA(row, nowMs)
  if (limitA === null) return null
  return { limitA, until: row.hand_until?.toISOString() ?? '', reason: row.hand_reason ?? '', by: row.hand_by ?? '' }
}

const toConnector = (row: SiteRow, nowMs: number): contract.SiteConnector => ({
  connectorId: row.evse_no,
  maxA: row.maxA,
  heldA: row.heldA,
  charging: row.no !== null,
  allowedA: sessionA(row, nowMs),
  toldA: row.no === null || row.told_a === null ? null : Number(row.told_a),
  measuredKw: row.measured_w === null || !isFresh(row, nowMs) ? null : row.measured_w / 1000,
  controlled: row.fallback_a !== null,
  steerable: isSteerable(row),
  exceeds: row.exceeds,
  refusal: row.refusal,
  plannedA: row.plannedA,
  byHand: manualLimitOf(row, nowMs),
})

const kwOf = (rows: readonly SiteRow[], nowMs: number): number | null => {
  const drawn = rows.filter((row) => isFresh(row, nowMs))
  return drawn.length === 0 ? null : drawn.reduce((sum, { measured_w }) => sum + (measured_w ?? 0), 0) / 1000
}

const find = ownRoute(contract.findChargingSites, async (tx, customerId, { nowMs }) => {
  const sites = await selectRows(tx, customerId, 'charging_site')
    .selectAll()
    .orderBy(byName(sql`name`))
    .execute()
  const groups = await selectRows(tx, customerId, 'charger_tag_group')
    .select(['group_id', 'name', 'priority'])
    .orderBy('priority', 'desc')
    .orderBy(byName(sql`name`))
    .execute()
  const read = async (site: (typeof sites)[number]): Promise<contract.ChargingSite> => {
    const rows = await readSite(tx, customerId, site.site_id, nowMs)
    return {
      _id: site.site_id,
      name: site.name,
      limitA: site.limit_a,
      reserveA: site.reserve_a,
      fallbackA: site.fallback_a,
      nowKw: kwOf(rows, nowMs),
      heldA: maxHeldA(rows),
      chargers: [...Map.groupBy(rows, (row) => row.charger_id)].map(([chargerId, connectors]) => ({
        chargerId,
        name: connectors[0]?.name ?? '',
        phases: contract.chargerPhases.find((one) => one === connectors[0]?.site_phases) ?? 'L1L2L3',
        isActive: connectors[0]?.online ?? false,
        connectors: connectors.map((row) => toConnector(row, nowMs)),
      })),
    }
  }
  const withRows: contract.ChargingSite[] = []
  for (const site of sites) withRows.push(await read(site))
  return {
    sites: withRows,
    priorities: groups.map(({ group_id, name, priority }) => ({ groupId: group_id, name, priority })),
  }
})

const checkName = async (tx: Tx, customerId: string, name: string, siteId: string) => {
  await lockCustomer(tx, customerId)
  const other = await selectRows(tx, customerId, 'charging_site')
    .select('site_id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('site_id', '!=', siteId)
    .executeTakeFirst()
  if (other) throw new Refusal(409, m.siteTaken, { errors: { name: m.siteTaken } })
}

type SiteCharger = { chargerId: string; phases: (typeof contract.chargerPhases)[number] }

const removeFromOthers = async (
  audit: Own['audit'],
  tx: Tx,
  customerId: string,
  to: { siteId: string; name: string },
  chargers: readonly SiteCharger[],
): Promise<void> => {
  if (chargers.length === 0) return
  const ids = chargers.map(({ chargerId }) => chargerId)
  const moved = await selectRows(tx, customerId, 'charger', { charger_id: ids })
    .select(['name', 'site_id'])
    .where('site_id', '!=', to.siteId)
    .execute()
  for (const [siteId, removed] of Map.groupBy(moved, ({ site_id }) => site_id ?? '')) {
    const { name } = await getSite(tx, customerId, siteId)
    rowChanged(tx, 'charging-site', siteId)
    const names = removed.map((one) => one.name).join(', ')
    const change = { before: { chargers: names }, after: { chargers: `${names} → ${to.name}` } }
    await audit(tx, 'charging-site.save', name, change)
  }
}

const setChargers = async (tx: Tx, customerId: string, siteId: string, chargers: readonly SiteCharger[]) => {
  await updateRows(tx, customerId, 'charger', { site_id: siteId }).set({ site_id: null }).execute()
  for (const { chargerId, phases } of chargers)
    await updateRows(tx, customerId, 'charger', { charger_id: chargerId })
      .set({ site_id: siteId, site_phases: phases })
      .execute()
}

const checkFallback = async (tx: Tx, customerId: string, siteId: string) => {
  const { limit_a, reserve_a, fallback_a } = await getSite(tx, customerId, siteId)
  const sharedA = limit_a - reserve_a
  if (sharedA < minChargingA) throw invalid({ reserveA: m.siteReserve })
  const chargers = await selectRows(tx, customerId, 'charger', { site_id: siteId })
    .select(['site_phases', 'connectors'])
    .execute()
  for (const phase of sitePhases) {
    const onPhase = chargers.filter(({ site_phases }) => phasesOf(site_phases).includes(phase))
    const count = onPhase.reduce((sum, { connectors }) => sum + connectors, 0)
    if (count * fallback_a > sharedA) throw invalid({ fallbackA: m.siteFallback(sharedA) })
  }
}

const add = route(contract.addChargingSite, async ({ own, audit, nowMs, body }) => {
  const siteId = newId(nowMs)
  await own(async (tx, customerId) => {
    for (const { chargerId } of body.chargers) await getCharger(tx, customerId, chargerId)
    await checkName(tx, customerId, body.name, siteId)
    const count = await countRows(selectRows(tx, customerId, 'charging_site'))
    if (count >= limits.chargingSites) throw new Refusal(409, m.tooManySites(limits.chargingSites))
    await insertRow(tx, customerId, 'charging_site', {
      site_id: siteId,
      name: body.name,
      limit_a: body.limitA,
      reserve_a: body.reserveA ?? 0,
      fallback_a: body.fallbackA,
      created_at: new Date(nowMs),
    }).execute()
    rowChanged(tx, 'charging-site', siteId)
    await removeFromOthers(audit, tx, customerId, { siteId, name: body.name }, body.chargers)
    await setChargers(tx, customerId, siteId, body.chargers)
    await checkFallback(tx, customerId, siteId)
    await audit(tx, 'charging-site.save', body.name, { after: { ...body, site: siteId } })
  })
  return { _id: siteId }
})

const save = ownRoute(contract.saveChargingSite, async (tx, customerId, { audit, params, body }) => {
  const before = await getSite(tx, customerId, params.id)
  for (const { chargerId } of body.chargers ?? []) await getCharger(tx, customerId, chargerId)
  if (body.name !== undefined) await checkName(tx, customerId, body.name, params.id)
  const old = { name: before.name, limitA: before.limit_a, reserveA: before.reserve_a, fallbackA: before.fallback_a }
  const to = { siteId: params.id, name: body.name ?? before.name }
  await removeFromOthers(audit, tx, customerId, to, body.chargers ?? [])
  if (body.chargers) await setChargers(tx, customerId, params.id, body.chargers)
  const { name, limitA, reserveA, fallbackA } = { ...old, ...body }
  await updateRows(tx, customerId, 'charging_site', { site_id: params.id })
    .set({ name, limit_a: limitA, reserve_a: reserveA, fallback_a: fallbackA })
    .execute()
  rowChanged(tx, 'charging-site', params.id)
  await checkFallback(tx, customerId, params.id)
  await audit(tx, 'charging-site.save', name, { before: old, after: body })
})

const remove = ownRoute(contract.removeChargingSite, async (tx, customerId, { audit, params }) => {
  const before = await getSite(tx, customerId, params.id)
  await deleteRows(tx, customerId, 'charging_site', { site_id: params.id }).execute()
  rowChanged(tx, 'charging-site', params.id)
  await audit(tx, 'charging-site.delete', before.name, { before: { limitA: before.limit_a } })
})

const savePriorities = ownRoute(contract.saveGroupPriorities, async (tx, customerId, { audit, body }) => {
  const names: string[] = []
  for (const { groupId, priority } of body.priorities) {
    await lockGroup(tx, customerId, groupId)
    const { name } = await updateRows(tx, customerId, 'charger_tag_group', { group_id: groupId })
      .set({ priority })
      .returning('name')
      .executeTakeFirstOrThrow()
    names.push(name)
  }
  const sites = await selectRows(tx, customerId, 'charging_site').select('site_id').execute()
  for (const { site_id } of sites) rowChanged(tx, 'charging-site', site_id)
  await audit(tx, 'charging-site.priority', names.join(', '), { after: body.priorities })
})

type Connector = { chargerId: string; connectorId: number }

const getSiteRow = async (tx: Tx, customerId: string, siteId: string, connector: Connector, nowMs: number) => {
  const { chargerId, connectorId } = connector
  const site = await getSite(tx, customerId, siteId)
  const rows = await readSite(tx, customerId, siteId, nowMs)
  const row = rows.find(({ charger_id, evse_no }) => charger_id === chargerId && evse_no === connectorId)
  if (!row) throw notFound()
  return { row, subject: `${site.name}: ${row.name} · ${row.evse_no}` }
}

const setLimit = ownRoute(contract.setSiteLimit, async (tx, customerId, { audit, viewer, nowMs, params, body }) => {
  const { row, subject } = await getSiteRow(tx, customerId, params.id, body, nowMs)
  if (!isSteerable(row)) throw new Refusal(409, m.notSteerable)
  const { name } = await getRow(tx, customerId, 'app_user', { user_id: viewer.userId }, ['name'])
  const manual = {
    hand_a: body.limitA,
    hand_until: new Date(nowMs + body.hours * hourMs),
    hand_reason: body.reason,
    hand_by: name,
  }
  await insertRow(tx, customerId, 'charger_limit', {
    charger_id: body.chargerId,
    evse_no: body.connectorId,
    changed_at: new Date(nowMs),
    ...manual,
  })
    .onConflict((conflict) => conflict.columns(['customer_id', 'charger_id', 'evse_no']).doUpdateSet(manual))
    .execute()
  rowChanged(tx, 'charging-site', params.id)
  const { limitA, hours, reason } = body
  await audit(tx, 'charging-site.limit', subject, { after: { limitA, hours, reason } })
})

const endLimit = ownRoute(contract.endSiteLimit, async (tx, customerId, { audit, nowMs, params, body }) => {
  const { row, subject } = await getSiteRow(tx, customerId, params.id, body, nowMs)
  await updateRows(tx, customerId, 'charger_limit', { charger_id: body.chargerId, evse_no: body.connectorId })
    .set({ hand_a: null, hand_until: null, hand_reason: null, hand_by: null })
    .execute()
  rowChanged(tx, 'charging-site', params.id)
  await audit(tx, 'charging-site.limit', subject, { before: { limitA: row.hand_a, reason: row.hand_reason } })
})

export const sites = [find, add, save, remove, savePriorities, setLimit, endLimit]
