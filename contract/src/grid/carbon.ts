import { z } from 'zod'
import { call, id } from '#call.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { fileFormat, graph } from '#series.ts'
import { publishedSource, simulatedSum } from '#source.ts'
import { dayMs, hourMs, type Span } from '#time.ts'
import { windowQuery } from './frequency.ts'

const area = z.string().regex(/^[A-Z]{2}\d$/, m.area)
const type = z.enum(['past', 'future'])

const days = { date: windowQuery.date, start: windowQuery.start, end: windowQuery.end }

/** A chart has the published values of up to five days, and means of longer windows. */
export const emissionStep = ({ fromMs, toMs }: Span): 'published' | 'hour' | 'day' => {
  if (toMs - fromMs <= 5 * dayMs + hourMs) return 'published'
  return toMs - fromMs <= 62 * dayMs ? 'hour' : 'day'
}

export const carbonEmission = call({
  method: 'GET',
  path: '/client/data/carbon-emission',
  summary:
    'Get the CO2 of the electricity of an area over a local day, or from start to end, in g/kWh: measured (past) or prognosis (future); over more than 5 days as hourly means, over more than 62 as daily ones',
  may: 'carbon.read',
  query: z.strictObject({ ...days, type, area, format: fileFormat.optional() }),
  response: z.object({
    graph,
    /** g/kWh; null without data. */
    mean: z.number().nullable(),
    lowest: z.object({ at: z.iso.datetime(), value: z.number() }).nullable(),
    highest: z.object({ at: z.iso.datetime(), value: z.number() }).nullable(),
    source: publishedSource,
  }),
})

export const carbonLastReported = call({
  method: 'GET',
  path: '/client/data/carbon-emission/last-reported',
  summary: 'Get the time of the last publication of the emission or its prognosis',
  may: 'carbon.read',
  query: z.strictObject({ type, area }),
  response: z.object({ carbon: z.object({ timestamp: z.iso.datetime().nullable() }) }),
})

export const ownCarbon = call({
  method: 'GET',
  path: '/client/data/carbon-emission/own',
  summary: `Get the emission of the own consumption of a local day, or from start to end (${limits.ownCarbonDays} days at most), in kg CO2: kWh of each hour times the emission of that hour; over more than 7 days by local day`,
  may: 'carbon.read',
  of: ['meter'],
  query: z.strictObject({
    ...days,
    area,
    instanceId: id('instance').optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({
    kwh: z.number(),
    kgCo2: z.number(),
    /** Percent of the consumption in hours with a known emission; the rest is not in kgCo2. */
    coverage: z.number().nullable(),
    /** Percent of the time with measured power, by quarter of an hour over more than a day; the rest is in no sum. Null before the window began. */
    measured: z.number().nullable(),
    simulated: simulatedSum,
    graph,
    instances: z.array(
      z.object({
        _id: id('instance'),
        name: z.string(),
        kwh: z.number().nullable(),
        kgCo2: z.number().nullable(),
        measured: z.number().nullable(),
      }),
    ),
  }),
})
