import { z } from 'zod'
import { call, id } from './call.ts'
import { text } from './fields.ts'
import { fileFormat, graph } from './series.ts'
import { localDate } from './time.ts'
import { windowQuery } from './frequency.ts'

const marketAndInstance = { market: text(40), instanceId: id('instance').optional() }

export const powerCapacity = call({
  method: 'GET',
  path: '/client/data/powercapacity',
  summary:
    'Power capacity that stands ready in one market, in kW; by default 16 minutes before to 1 minute after the last report',
  may: 'capacity.read',
  query: z.strictObject({ ...marketAndInstance, ...windowQuery, format: fileFormat.optional() }),
  response: z.object({
    graph,
    instance: z.object({ _id: id('instance'), name: z.string() }).nullable(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    lastReported: z.iso.datetime().nullable(),
  }),
})

export const powerCapacityLastReported = call({
  method: 'GET',
  path: '/client/data/powercapacity/last-reported',
  summary: 'When the instance of a market last reported its capacity',
  may: 'capacity.read',
  query: z.strictObject(marketAndInstance),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})

export const instanceOverview = call({
  method: 'GET',
  path: '/client/instance-data-logs/overview',
  summary: 'Power (kW) of an instance over a local day and its consumption (kWh) per hour; as a file: every sample',
  may: 'power.read',
  query: z.strictObject({
    groupId: id('instance'),
    date: localDate.optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({
    powerData: graph,
    consumptionData: graph,
    group: z.object({ _id: id('instance'), name: z.string() }),
    lastReported: z.iso.datetime().nullable(),
  }),
})

export const instanceLastReported = call({
  method: 'GET',
  path: '/client/instance-data-logs/last-reported',
  summary: 'When an instance last reported its power',
  may: 'power.read',
  query: z.strictObject({ groupId: id('instance') }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})
