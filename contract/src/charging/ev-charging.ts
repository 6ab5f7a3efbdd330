import { z } from 'zod'
import { call, id } from '#call.ts'
import { numberInUrl } from '#fields.ts'
import { windowQuery } from '#grid/frequency.ts'
import { limits } from '#limits.ts'
import { fileFormat, graph } from '#series.ts'
import { simulated } from '#source.ts'

export const connectorStates = [
  'available',
  'preparing',
  'charging',
  'suspended-ev',
  'suspended-evse',
  'finishing',
  'occupied',
  'reserved',
  'unavailable',
  'faulted',
  'unknown',
] as const

export const charger = z.object({
  _id: id('charger'),
  name: z.string(),
  identity: z.string(),
  description: z.string(),
  createdAt: z.iso.datetime(),
  meta: z.object({
    serialNumber: z.string().nullable(),
    connectors: z.number(),
    chargerType: z.enum(['AC', 'DC']),
    isActive: z.boolean(),
    maxKw: z.number(),
    vendor: z.string().nullable(),
    model: z.string().nullable(),
    firmware: z.string().nullable(),
    version: z.string().nullable(),
  }),
  lastSeen: z.iso.datetime().nullable(),
  connectors: z.array(
    z.object({
      connectorId: z.number(),
      state: z.enum(connectorStates),
      error: z.string().nullable(),
      since: z.iso.datetime().nullable(),
      transactionId: id('charger-transaction').nullable(),
      powerKw: z.number().nullable(),
      soc: z.number().nullable(),
    }),
  ),
  simulated,
})
export type Charger = z.infer<typeof charger>

export const findChargers = call({
  method: 'GET',
  path: '/client/evc/connector/{id}',
  summary: 'List the chargers of a license with the current state of each connector',
  may: 'ev-charging.read',
  of: ['charger', 'charging-session'],
  params: z.object({ id: id('licence') }),
  response: z.object({ chargers: z.array(charger) }),
})

export const connectorId = numberInUrl(z.int().min(0).max(limits.connectorsPerCharger))

export const chargerOverview = call({
  method: 'GET',
  path: '/client/evc/overview',
  summary:
    'Get the power, consumption and state of charge of a connector on a local day, or from start to end: consumption per hour, over more than 7 days per local day; state of charge is empty where the charger does not report it. With `format` the samples of one `chart`',
  may: 'ev-charging.read',
  of: ['charger', 'charging-session', 'tag'],
  query: z.strictObject({
    chargerId: id('charger'),
    connectorId: connectorId.default(1),
    date: windowQuery.date,
    start: windowQuery.start,
    end: windowQuery.end,
    format: fileFormat.optional(),
    chart: z.enum(['power', 'consumption', 'soc']).default('power'),
  }),
  response: z.object({
    powerData: graph,
    consumptionData: graph,
    SocData: graph,
    lastReported: z.iso.datetime().nullable(),
    simulated,
  }),
})

export const chargerLastReported = call({
  method: 'GET',
  path: '/client/evc/last-reported',
  summary: 'Get the time of the last reading of a connector',
  may: 'ev-charging.read',
  query: z.strictObject({ chargerId: id('charger'), connectorId: connectorId.default(1) }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})
