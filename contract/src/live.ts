import { z } from 'zod'
import { call, id } from './call.ts'
import { can, type CapabilityName, type Subject } from './roles.ts'

export const signalKinds = ['frequency', 'power', 'setPoint', 'capacityUp', 'capacityDown', 'soc', 'energy'] as const
export type SignalKind = (typeof signalKinds)[number]

/** What a stream tells of: measured values by kind, that a day of prices was published, that an alert was triggered, activations that run, and chargers of which something changed. */
export const liveKinds = [...signalKinds, 'prices', 'alerts', 'activation', 'charger'] as const
export type LiveKind = (typeof liveKinds)[number]

/** The calls that answer the same values are held by these; any one will do. */
const liveMay: Record<LiveKind, readonly CapabilityName[]> = {
  frequency: ['frequency.read'],
  power: ['power.read'],
  setPoint: ['power.read'],
  capacityUp: ['capacity.read'],
  capacityDown: ['capacity.read'],
  soc: ['power.read'],
  energy: ['power.read'],
  prices: ['prices.read', 'pricing.read'],
  alerts: ['alert.read'],
  activation: ['event.read'],
  charger: ['ev-charging.read'],
}
export const mayHear = (subject: Subject, kind: LiveKind): boolean => liveMay[kind].some((name) => can(subject, name))

/** Event `readings` of the stream: values just committed for one instance, newest last. */
export const liveReadings = z.object({
  instanceId: id('instance'),
  signals: z.partialRecord(
    z.enum(signalKinds),
    z.object({ x: z.array(z.number()), y: z.array(z.number().nullable()) }),
  ),
})
export type LiveReadings = z.infer<typeof liveReadings>

/** In an address a list of one looks like one. */
const oneOrMore = <S extends z.ZodType>(one: S) => z.union([one, z.array(one).min(1).max(50)])

export const live = call({
  method: 'GET',
  path: '/client/live',
  summary:
    'Server-sent events: `hello`, `readings` (see LiveReadings), `prices` (a day was published), `alerts` (one was triggered), `activation` (see LiveActivation: one runs, or has ended; of all instances), `charger` (`chargerId`: its state or a session of it changed), `profile` (the record of your company changed), `resync` (something may have been missed: read again), `ping` every 15 s. `instanceIds` and `kinds`, each repeated as often as needed, say what to hear; without them all that you may read',
  may: 'live.read',
  query: z.strictObject({
    instanceIds: oneOrMore(id('instance')).optional(),
    kinds: oneOrMore(z.enum(liveKinds)).optional(),
  }),
  answer: 'events',
})
