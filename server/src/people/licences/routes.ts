import * as instances from '@gridmast/contract/people/instances.ts'
import * as contract from '@gridmast/contract/people/licences.ts'
import { z } from 'zod'
import { findLicences, getLicence } from '#access/licence.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import { route } from '#context.ts'
import { instancesFile, toInstance } from './instance.ts'
import { findInstances, findInstancesOf, getInstance, lockInstance, saveInstance } from './queries.ts'

const settingsOf = (stored: unknown): contract.LicenceType['settings'] => {
  const isOn = z.record(z.string(), z.unknown()).catch({}).parse(stored)
  return {
    overview: isOn['overview'] === true,
    alerts: isOn['alerts'] === true,
    events: isOn['events'] === true,
    details: isOn['details'] === true,
  }
}

type Row = Awaited<ReturnType<typeof findLicences>>[number]

const toLicence = ({ licence_id, type, settings }: Row, groups: instances.Instance[]): contract.LicenceType => ({
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
  const licenses = (await readLicences(own)).map(({ _id, name, groups: own }) => ({
    _id,
    name,
    market: [...new Set(own.flatMap(({ market }) => market))],
  }))
  const isSold = ({ market }: { market: string[] }) =>
    query.market === undefined ? market.length > 0 : market.includes(query.market)
  return { licenses: licenses.filter(isSold) }
})

const save = route(instances.saveInstance, async ({ own, audit, params, body }) =>
  own(async (tx, customerId) => {
    const before = await lockInstance(tx, customerId, params.id)
    await saveInstance(tx, customerId, params.id, body)
    await audit(tx, 'instance.save', before.name, { before, after: body })
    return { instance: toInstance(await getInstance(tx, customerId, params.id)) }
  }),
)

export const licences = [find, ofCustomer, byId, groups, ofMarkets, save]
