import { z } from 'zod'
import { call, id } from '#call.ts'
import { text } from '#fields.ts'
import { limits } from '#limits.ts'
import { fileFormat, graph } from '#series.ts'
import { simulated, simulatedSum } from '#source.ts'
import { type Span, dayMs, hourMs, localDate } from '#time.ts'
import { windowQuery } from './frequency.ts'

const marketAndInstance = { market: text(40), instanceId: id('instance').optional() }

/** kW sold in the market now; null for a viewer without access to bids. */
const soldKw = z.number().nullable()

export const powerCapacity = call({
  method: 'GET',
  path: '/client/data/powercapacity',
  summary:
    'Get the available power capacity in one market, in kW; by default 16 minutes before to 1 minute after the last report',
  may: 'capacity.read',
  query: z.strictObject({ ...marketAndInstance, ...windowQuery, format: fileFormat.optional() }),
  response: z.object({
    graph,
    instance: z.object({ _id: id('instance'), name: z.string() }).nullable(),
    soldKw,
    simulated,
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    lastReported: z.iso.datetime().nullable(),
  }),
})

export type Ready = { ms: number; kw: number }

/** Total available kW of a market's instances at an instant; instances silent for 15 minutes are unknown and excluded, null when all are. */
export const readyTogether = (newest: Iterable<Ready>, atMs: number): number | null => {
  const alive = [...newest].filter(({ ms }) => atMs - ms <= limits.edgeAliveMs)
  return alive.length === 0 ? null : alive.reduce((sum, { kw }) => sum + kw, 0)
}

export const powerCapacitySum = call({
  method: 'GET',
  path: '/client/data/powercapacity/sum',
  summary:
    'Get the total power capacity of all instances of one market, in kW, around the last report. An instance that has not reported for 15 minutes is not in the total and has no kw',
  may: 'capacity.read',
  query: z.strictObject({ market: text(40), format: fileFormat.optional() }),
  response: z.object({
    graph,
    instances: z.array(
      z.object({
        _id: id('instance'),
        name: z.string(),
        simulated,
        kw: z.number().nullable(),
        lastReported: z.iso.datetime().nullable(),
      }),
    ),
    soldKw,
    simulated: simulatedSum,
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    lastReported: z.iso.datetime().nullable(),
  }),
})

export const powerCapacityLastReported = call({
  method: 'GET',
  path: '/client/data/powercapacity/last-reported',
  summary: 'Get the time of the last capacity report of the instance of a market',
  may: 'capacity.read',
  query: z.strictObject(marketAndInstance),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})

export const instanceCapacity = call({
  method: 'GET',
  path: '/client/data/instance-capacity',
  summary: 'Get the available power capacity in one market over a local day, in kW; as a file: every sample',
  may: 'capacity.read',
  query: z.strictObject({ ...marketAndInstance, date: localDate.optional(), format: fileFormat.optional() }),
  response: z.object({
    capacityData: graph,
    group: z.object({ _id: id('instance'), name: z.string() }),
    simulated,
    lastReported: z.iso.datetime().nullable(),
  }),
})

export const instanceCapacityLastReported = call({
  method: 'GET',
  path: '/client/data/instance-capacity/last-reported',
  summary: 'Get the time of the last capacity report of the instance of a market',
  may: 'capacity.read',
  query: z.strictObject(marketAndInstance),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})

export const capacityGroups = call({
  method: 'GET',
  path: '/client/data/powercapacity/groups-v2/{id}',
  summary:
    'List the instances of a license with the available kW on each of their markets; null after 15 minutes without a report',
  may: 'capacity.read',
  of: ['instance'],
  params: z.object({ id: id('licence') }),
  response: z.object({
    groups: z.array(
      z.object({
        _id: id('instance'),
        name: z.string(),
        simulated,
        capacity: z.array(
          z.object({ market: z.string(), kw: z.number().nullable(), lastReported: z.iso.datetime().nullable() }),
        ),
      }),
    ),
  }),
})

export const consumptionStep = ({ fromMs, toMs }: Span): 'hour' | 'day' =>
  toMs - fromMs > 7 * dayMs + hourMs ? 'day' : 'hour'

export const instanceOverview = call({
  method: 'GET',
  path: '/client/instance-data-logs/overview',
  summary:
    'Get the power (kW) of an instance over a local day, or from start to end, and its consumption (kWh) per hour, over more than 7 days per local day; as a file: every sample',
  may: 'power.read',
  of: ['instance'],
  query: z.strictObject({
    groupId: id('instance'),
    ...windowQuery,
    format: fileFormat.optional(),
  }),
  response: z.object({
    powerData: graph,
    consumptionData: graph,
    group: z.object({ _id: id('instance'), name: z.string() }),
    simulated,
    lastReported: z.iso.datetime().nullable(),
  }),
})

export const instanceLastReported = call({
  method: 'GET',
  path: '/client/instance-data-logs/last-reported',
  summary: 'Get the time of the last power report of an instance',
  may: 'power.read',
  query: z.strictObject({ groupId: id('instance') }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})
