import { z } from 'zod'
import { call, id } from './call.ts'
import { limits } from './limits.ts'
import { fileFormat, graph } from './series.ts'

/** `date` is a local day; `start` and `end` are instants or `HH:mm` on `date`. Without any of them: the last 30 minutes. */
export const windowQuery = {
  date: z.iso.date().optional(),
  start: z.string().max(40).optional(),
  end: z.string().max(40).optional(),
  maxPoints: z.coerce.number().int().min(2).max(limits.seriesPoints).optional(),
}

export const frequencySeries = call({
  method: 'GET',
  path: '/client/data/frequency/{id}',
  summary: 'Frequency of one signal, in Hz; as a file with format=xlsx or csv',
  may: 'frequency.read',
  params: z.object({ id: id('frequency') }),
  query: z.strictObject({ ...windowQuery, format: fileFormat.optional() }),
  response: z.object({ graph, lastReported: z.iso.datetime().nullable() }),
})

export const frequencyLastReported = call({
  method: 'GET',
  path: '/client/data/frequency/data/last-reported',
  summary: 'When a frequency signal last reported',
  may: 'frequency.read',
  query: z.strictObject({ id: id('frequency').optional() }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})
