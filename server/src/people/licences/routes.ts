import * as instances from '@gridmast/contract/people/instances.ts'
import { type Instance, isEdgeGood } from '@gridmast/contract/people/instances.ts'
import { signalKinds } from '@gridmast/contract/live.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import * as contract from '@gridmast/contract/people/licences.ts'
import { z } from 'zod'
import * as column from '#platform/files/columns.ts'
import { type Column, type TableFile, tableFile } from '#platform/files/table-file.ts'
import { findLicences, getLicence } from '#access/licence.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import { ownRoute, route } from '#context.ts'
import { type InstanceRow, findInstances, findInstancesOf, getInstance, lockInstance, saveInstance } from './queries.ts'

const fcrOf = (sold: readonly string[]): Instance['properties']['fcr'] => {
  const directions = sold.flatMap((market) =>
    isMarket(market) && market.startsWith('FCR') ? [markets[market].direction] : [],
  )
  return {
    enabled: directions.length > 0,
    increased: directions.some((direction) => direction !== 'down'),
    decreased: directions.some((direction) => direction !== 'up'),
  }
}

const toInstance = (row: InstanceRow): Instance => ({
  _id: row.instance_id,
  name: row.name,
  description: row.description,
  licenseId: row.licence_id,
  market: row.markets,
  bidActive: row.bid_active,
  enabled: row.enabled,
  simulated: row.simulated,
  edgeLastReported: row.last_reported_at?.toISOString() ?? null,
  edgeDetails: {
    _id: row.edge_id,
    deviceId: row.edge_key,
    market: row.edge_markets,
    properties: { codeVersion: row.code_version },
  },
  signalData: row.signals.flatMap(({ signal_id, kind: stored, unit }) => {
    const kind = signalKinds.find((one) => one === stored)
    return kind ? [{ _id: signal_id, kind, unit }] : []
  }),
  properties: { frequencySignal: row.frequency_id, fcr: fcrOf(row.markets) },
})

const instancesFile = (type: string, instances: readonly Instance[], nowMs: number): { file: TableFile } => {
  const columns: Column<Instance>[] = [
    column.text('S.No', (_, index) => index + 1, 8),
    column.text('Name', (one) => one.name, 30),
    column.text('Description', (one) => one.description, 60),
    column.text('License Type', () => type),
    column.text('Market', (one) => one.market.join(', '), 30),
    column.text('Market Status', (one) => (one.bidActive ? 'Active' : 'Inactive')),
    column.text('Edge Status', (one) => (isEdgeGood(one.edgeLastReported, nowMs) ? 'Good' : 'Bad')),
    column.instant('Edge Last Reported', (one) => one.edgeLastReported),
  ]
  return { file: tableFile({ fileName: 'Generic_Instance', sheet: 'Instances' }, columns, instances) }
}

const settingsOf = (stored: unknown): contract.LicenceType['settings'] => {
  const isOn = z.record(z.string(), z.unknown()).catch({}).parse(stored)
  return {
    overview: isOn['overview'] === true,
    alerts: isOn['alerts'] === true,
    events: isOn['events'] === true,
    details: isOn['details'] === true,
  }
}

type LicenceRow = Awaited<ReturnType<typeof findLicences>>[number]

const toLicence = ({ licence_id, type, settings }: LicenceRow, groups: instances.Instance[]): contract.LicenceType => ({
  _id: licence_id,
  licenseId: licence_id,
  name: type,
  settings: settingsOf(settings),
  groups,
})

const readLicence = (own: Own['own'], licenceId: string) =>
  own(async (tx, customerId) => {
    const licence = await getLicence(tx, customerId, licenceId)
    return toLicence(licence, (await findInstancesOf(tx, customerId, licenceId)).map(toInstance))
  })

const readLicences = (own: Own['own']) =>
  own(async (tx, customerId) => {
    const [licences, rows] = [await findLicences(tx, customerId), await findInstances(tx, customerId)]
    const all = rows.map(toInstance)
    return licences.map((licence) =>
      toLicence(
        licence,
        all.filter(({ licenseId }) => licenseId === licence.licence_id),
      ),
    )
  })

const find = route(contract.findLicences, async ({ own }) => ({ licenses: await readLicences(own) }))

const ofCustomer = route(contract.licenceOfCustomer, async ({ own, viewer, params }) => {
  if (params.customerId !== viewer.customerId) throw notFound()
  return { license: await readLicence(own, params.licenseTypeId) }
})

const byId = route(contract.getLicence, async ({ own, params }) => ({ license: await readLicence(own, params.id) }))

const groups = route(contract.findInstances, async ({ own, nowMs, params, query }) => {
  const licence = await readLicence(own, params.id)
  return query.format ? instancesFile(licence.name, licence.groups, nowMs) : { groups: licence.groups }
})

const ofMarkets = route(contract.findMarketLicences, async ({ own, query }) => {
  const licenses = (await readLicences(own)).map(({ _id, name, groups }) => ({
    _id,
    name,
    market: [...new Set(groups.flatMap(({ market }) => market))],
  }))
  const isSold = ({ market }: { market: string[] }) =>
    query.market === undefined ? market.length > 0 : market.includes(query.market)
  return { licenses: licenses.filter(isSold) }
})

const save = ownRoute(instances.saveInstance, async (tx, customerId, { audit, params, body }) => {
  const before = await lockInstance(tx, customerId, params.id)
  await saveInstance(tx, customerId, params.id, body)
  await audit(tx, 'instance.save', before.name, { before, after: body })
  return { instance: toInstance(await getInstance(tx, customerId, params.id)) }
})

export const licences = [find, ofCustomer, byId, groups, ofMarkets, save]
