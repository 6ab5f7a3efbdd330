import { openProgress, type Progress } from '#platform/http/live.ts'
import type { Failure } from '#connectors/fetch-text.ts'
import {
  addMeterGroup,
  findMeterGroups,
  isRegularCvr,
  removeMeterGroup,
  saveMeterGroup,
  findTariffs as findTariffsCall,
  saveMeter as saveMeterCall,
  saveMeterStatus,
  saveMeterStatuses,
} from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today, addDays } from '@gridmast/contract/time.ts'
import { eloverblikSource, fetchAuthorizations } from '#connectors/eloverblik/fetch.ts'
import { getSource } from '#grid/published/sources.ts'
import { eachOf } from '#platform/http/bulk.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
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
import { type App, ownRoute, route } from '#context.ts'
import type { Own } from '#platform/http/route.ts'
import { requestEloverblik, meterData, saveRefreshToken } from './eloverblik.ts'
import { listMeteringPoints, saveMeteringPoints } from './listing.ts'
import {
  findGroups,
  findMeters,
  getGroup,
  toGroup,
  checkPriceSignal,
  getMeter,
  isConfigured,
  lockMeter,
  saveMeter,
  toMeter,
  type MeterRow,
} from './queries.ts'
import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { planMonths } from './due.ts'
import { findTariffs, tariffExists } from '#grid/published/pricing.ts'
import { download } from './download.ts'
import { explanations } from './explain.ts'
import { graphs } from './graph.ts'
import { overview } from './overview.ts'

const findKeys = ownRoute(findMeterGroups, async (tx, customerId) => {
  const ofGroup = Map.groupBy(await findMeters(tx, customerId), ({ group_id }) => group_id)
  const groups = await findGroups(tx, customerId)
  return {
    groups: groups.map((group) => toGroup(group, ofGroup.get(group.group_id) ?? [])),
    source: await getSource(tx, meterData),
  }
})

const keyRequest = { waitMs: 5000, timeoutMs: 20_000 }

const refusalOf = ({ kind, httpStatus }: Failure): Refusal =>
  kind === 'forbidden' || httpStatus === 401
    ? new Refusal(409, m.eloverblikToken)
    : new Refusal(503, m.eloverblikAway, { retryAfterS: 60 })

const readMeteringPoints = async (app: App, cvr: string, nowMs: number, progress: Progress) => {
  await saveRefreshToken(app)
  const authorizations = await requestEloverblik(app, keyRequest, fetchAuthorizations)
  if (!('result' in authorizations)) throw refusalOf(authorizations)
  const isValid = (until: string | null) => until === null || until.slice(0, 10) >= today(nowMs)
  if (!authorizations.result.some((one) => one.cvr === cvr && isValid(one.validTo)))
    throw invalid({ 'dataHub.key': m.noAuthorization(cvr) })
  const points = await listMeteringPoints(app, { ...keyRequest, progress }, cvr)
  if (!('result' in points)) throw refusalOf(points)
  return points.result
}

const checkKey = async (tx: Tx, customerId: string, cvr: string): Promise<void> => {
  const groups = await findGroups(tx, customerId)
  if (groups.some((group) => group.cvr === cvr)) throw new Refusal(409, m.keyExists)
  // T1: the operator's access covers other companies too, so it must state the owner of a CVR number.
  const { cvrs } = await getRow(tx, customerId, 'customer', {}, ['cvrs'])
  if (!cvrs.includes(cvr)) throw invalid({ 'dataHub.key': m.cvrNotYours })
}

const addKey = route(addMeterGroup, async ({ app, viewer, own, audit, nowMs, body }) => {
  const { key } = body.dataHub
  await own((tx, customerId) => checkKey(tx, customerId, key))
  const points = await readMeteringPoints(app, key, nowMs, openProgress(app.live, viewer.customerId, body.watch))
  const group = await own(async (tx, customerId) => {
    await lockCustomer(tx, customerId)
    const count = await countRows(selectRows(tx, customerId, 'meter_group'))
    if (count >= limits.meterGroups) throw new Refusal(409, m.tooManyKeyGroups(limits.meterGroups))
    await checkKey(tx, customerId, key)
    const [groupId, now] = [newId(nowMs), new Date(nowMs)]
    const row = { group_id: groupId, cvr: key, name: null, created_at: now, listed_at: now }
    await insertRow(tx, customerId, 'meter_group', row).execute()
    await saveMeteringPoints(tx, { customerId, groupId }, points, nowMs)
    await audit(tx, 'data-hub.add-key', key, { after: { key, meters: points.length, source: eloverblikSource } })
    return toGroup(await getGroup(tx, customerId, groupId), await findMeters(tx, customerId, groupId))
  })
  await app.jobs.kick('meter-readings')
  return { group, warning: isRegularCvr(key) ? null : m.cvrChecksum }
})

const saveKey = route(saveMeterGroup, async ({ own, audit, params, body }) => {
  const name = body.dataHub.name || null
  await own(async (tx, customerId) => {
    const before = await getGroup(tx, customerId, params.groupId)
    await updateRows(tx, customerId, 'meter_group', { group_id: params.groupId }).set({ name }).execute()
    await audit(tx, 'data-hub.save-key', before.cvr, { before: { name: before.name }, after: { name } })
  })
})

const removeKey = ownRoute(removeMeterGroup, async (tx, customerId, { audit, params }) => {
  const before = await getGroup(tx, customerId, params.groupId)
  const { length } = await findMeters(tx, customerId, params.groupId)
  const removed = await deleteRows(tx, customerId, 'meter_group', { group_id: params.groupId }).executeTakeFirst()
  if (removed.numDeletedRows === 0n) throw notFound()
  await audit(tx, 'data-hub.remove-key', before.cvr, {
    before: { key: before.cvr, name: before.name, meters: length },
  })
})

const auditOf = (row: MeterRow) => ({
  name: row.name,
  priceSignal: row.price_signal_id,
  taxValue: row.tax_dkk_per_mwh === null ? null : Number(row.tax_dkk_per_mwh),
  tariff: row.tariff_gln === null ? null : `${row.tariff_gln}:${row.tariff_code}`,
  address: row.address,
  enabled: row.enabled,
})

const planHistory = async (app: App, tx: Tx, customerId: string, meterId: string, nowMs: number) => {
  const to = today(nowMs)
  const from = addDays(to, -app.config.ELOVERBLIK_HISTORY_DAYS)
  await planMonths(tx, [{ customer_id: customerId, meter_id: meterId }], { from, to })
}

const tariffOf = (text: string) => {
  const [gln = '', code = ''] = text.split(':')
  return { gln, code }
}

const saveSettings = route(saveMeterCall, async ({ app, own, audit, nowMs, params, body }) => {
  const { name, priceSignal, taxValue, tariff, address, enabled } = body.dataHub
  const meter = await own(async (tx, customerId) => {
    const before = await lockMeter(tx, customerId, params)
    await checkPriceSignal(tx, customerId, priceSignal)
    const chosen = tariff ? tariffOf(tariff) : null
    if (chosen && !(await tariffExists(tx, chosen))) throw invalid({ 'dataHub.tariff': m.notValid })
    await saveMeter(tx, customerId, params.meterId, {
      name,
      price_signal_id: priceSignal,
      tax_dkk_per_mwh: normalDecimal(String(taxValue)),
      ...(tariff === undefined ? {} : { tariff_gln: chosen?.gln ?? null, tariff_code: chosen?.code ?? null }),
      ...(address === undefined ? {} : { address: address.trim() }),
      ...(enabled === undefined ? {} : { enabled }),
    })
    const after = await getMeter(tx, customerId, params.meterId)
    if (after.enabled) await planHistory(app, tx, customerId, params.meterId, nowMs)
    await audit(tx, 'data-hub.save-meter', after.metering_point_id, { before: auditOf(before), after: auditOf(after) })
    return toMeter(after)
  })
  await app.jobs.kick('meter-readings')
  return { meter }
})

type Switching = { app: App; audit: Own['audit']; nowMs: number }

const switchMeter = async (
  tx: Tx,
  customerId: string,
  before: MeterRow,
  enabled: boolean,
  { app, audit, nowMs }: Switching,
) => {
  if (!isConfigured(before)) throw new Refusal(409, m.configurationRequired)
  if (before.enabled === enabled) return
  await saveMeter(tx, customerId, before.meter_id, { enabled })
  if (enabled) await planHistory(app, tx, customerId, before.meter_id, nowMs)
  const change = { before: { enabled: before.enabled }, after: { enabled } }
  await audit(tx, 'data-hub.save-meter', before.metering_point_id, change)
}

const saveStatuses = route(saveMeterStatuses, async ({ own, body: { ids, enabled }, ...input }) => {
  const result = await own((tx, customerId) =>
    eachOf(ids, async (meterId) => {
      const { group_id: groupId } = await getMeter(tx, customerId, meterId)
      const before = await lockMeter(tx, customerId, { groupId, meterId })
      await switchMeter(tx, customerId, before, enabled, input)
    }),
  )
  await input.app.jobs.kick('meter-readings')
  return result
})

const saveStatus = route(saveMeterStatus, async ({ own, params, body, ...input }) => {
  const { enabled, priceSignal } = body.dataHub
  const meter = await own(async (tx, customerId) => {
    const before = await lockMeter(tx, customerId, params)
    if (priceSignal) await checkPriceSignal(tx, customerId, priceSignal)
    await switchMeter(tx, customerId, before, enabled, input)
    return toMeter(await getMeter(tx, customerId, params.meterId))
  })
  await input.app.jobs.kick('meter-readings')
  return { meter }
})

const tariffs = ownRoute(findTariffsCall, async (tx, _customerId, { nowMs }) => {
  const rows = await findTariffs(tx, today(nowMs))
  return {
    tariffs: rows.map(({ gln, owner, code, name, valid_from }) => ({
      _id: `${gln}:${code}`,
      owner,
      code,
      name,
      validFrom: valid_from,
    })),
  }
})

export const dataHub = [
  findKeys,
  addKey,
  saveKey,
  removeKey,
  saveSettings,
  saveStatus,
  saveStatuses,
  tariffs,
  ...graphs,
  ...explanations,
  download,
  overview,
]
