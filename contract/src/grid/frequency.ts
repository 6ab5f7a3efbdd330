import { z } from 'zod'
import { call, id } from '#call.ts'
import { numberInUrl, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { fileFormat, graph } from '#series.ts'
import { publishedSource, simulated } from '#source.ts'
import { localDate } from '#time.ts'

/** `date` is a local day; `start` and `end` are instants or `HH:mm` on `date`. Without any of them: the last 30 minutes. */
export const windowQuery = {
  date: localDate.optional(),
  start: text(40).optional(),
  end: text(40).optional(),
  maxPoints: numberInUrl(z.int().min(2).max(limits.seriesPoints)).optional(),
}

/** The public measurement of the same grid that replaces a missing own one; null with the own one. */
const publicSource = publishedSource.extend({ area: z.string() })

export const frequencySeries = call({
  method: 'GET',
  path: '/client/data/frequency/{id}',
  summary: 'Get the frequency of one signal, in Hz; as a file with format=xlsx or csv',
  may: 'frequency.read',
  wall: true,
  params: z.object({ id: id('frequency') }),
  query: z.strictObject({ ...windowQuery, format: fileFormat.optional() }),
  response: z.object({
    graph,
    lastReported: z.iso.datetime().nullable(),
    source: publicSource.nullable(),
    simulated,
  }),
})

export const frequencyLastReported = call({
  method: 'GET',
  path: '/client/data/frequency/data/last-reported',
  summary: 'Get the time of the last report of a frequency signal',
  may: 'frequency.read',
  query: z.strictObject({ id: id('frequency').optional() }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})

export const lastFrequencies = call({
  method: 'GET',
  path: '/client/frequency/last',
  summary: 'Get the newest frequency of each area of the customer, in Hz',
  may: 'frequency.read',
  response: z.object({
    frequencies: z.array(
      z.object({
        area: z.string(),
        hz: z.number(),
        at: z.iso.datetime(),
        source: publicSource.nullable(),
        simulated,
      }),
    ),
  }),
})

export const setPointSeries = call({
  method: 'GET',
  path: '/client/data/set-point',
  summary:
    'Get the set point of an instance, in percent of the capacity sold in the slot, otherwise of its registered power; as a file with format=xlsx or csv',
  may: 'power.read',
  of: ['equipment'],
  query: z.strictObject({ instanceId: id('instance'), ...windowQuery, format: fileFormat.optional() }),
  response: z.object({
    graph,
    instance: z.object({ _id: id('instance'), name: z.string() }),
    simulated,
    lastReported: z.iso.datetime().nullable(),
  }),
})
