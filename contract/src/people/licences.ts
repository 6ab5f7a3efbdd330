import { z } from 'zod'
import { call, id } from '#call.ts'
import { text } from '#fields.ts'
import { instance } from './instances.ts'
import { fileFormat } from '#series.ts'

/** Parts of a licence's app, off by default. */
const licenceSettings = z.object({
  overview: z.boolean(),
  alerts: z.boolean(),
  events: z.boolean(),
  details: z.boolean(),
})

/** A customer has each type once, so that the licence and its type share one id (specification text 1, section 3: Licence type). */
const licenceType = z.object({
  _id: id('licence'),
  licenseId: id('licence'),
  name: z.string(),
  settings: licenceSettings,
  groups: z.array(instance),
})
export type LicenceType = z.infer<typeof licenceType>

const one = z.object({ license: licenceType })

export const findLicences = call({
  method: 'GET',
  path: '/client/license/type/v2',
  summary: 'List the enabled licenses of the customer with their instances',
  may: 'licence.read',
  of: ['instance'],
  response: z.object({ licenses: z.array(licenceType) }),
})

export const licenceOfCustomer = call({
  method: 'GET',
  path: '/client/license/type/{customerId}/{licenseTypeId}',
  summary: 'Get a license of a customer, by your own customer id and the id of the license type',
  may: 'licence.read',
  of: ['instance'],
  params: z.object({ customerId: id('customer'), licenseTypeId: id('licence') }),
  response: one,
})

export const getLicence = call({
  method: 'GET',
  path: '/client/license/v2/{id}',
  summary: 'Get a license, its settings and its instances, by its id',
  may: 'licence.read',
  of: ['instance'],
  params: z.object({ id: id('licence') }),
  response: one,
})

export const findInstances = call({
  method: 'GET',
  path: '/client/license/licenseType/{id}',
  summary: 'List the instances of a license type; with `format` as a file',
  may: 'licence.read',
  of: ['instance'],
  params: z.object({ id: id('licence') }),
  query: z.strictObject({ format: fileFormat.optional() }),
  response: z.object({ groups: z.array(instance) }),
})

export const findMarketLicences = call({
  method: 'GET',
  path: '/client/data/market',
  summary: 'List the enabled licenses with the markets that their instances may be sold on; optionally of one market',
  may: 'licence.read',
  of: ['instance'],
  query: z.strictObject({ market: text(40).optional() }),
  response: z.object({
    licenses: z.array(z.object({ _id: id('licence'), name: z.string(), market: z.array(z.string()) })),
  }),
})
