import { z } from 'zod'
import { call, id } from './call.ts'

export const signalKinds = ['frequency', 'power', 'setPoint', 'capacityUp', 'capacityDown', 'soc', 'energy'] as const
export type SignalKind = (typeof signalKinds)[number]

/** Event `readings` of the stream: values just committed for one instance, newest last. */
export const liveReadings = z.object({
  instanceId: id('instance'),
  signals: z.partialRecord(
    z.enum(signalKinds),
    z.object({ x: z.array(z.number()), y: z.array(z.number().nullable()) }),
  ),
})
export type LiveReadings = z.infer<typeof liveReadings>

export const live = call({
  method: 'GET',
  path: '/client/live',
  summary:
    'Server-sent events: `hello`, `readings` (see LiveReadings), `prices` (a day was published), `ping` every 15 s',
  may: 'live.read',
  answer: 'events',
})
