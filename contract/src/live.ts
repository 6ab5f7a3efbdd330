import { z } from 'zod'
import { call, id } from './call.ts'
import { m } from './messages.ts'
import { can, type CapabilityName, type Subject } from './roles.ts'

export const signalKinds = ['frequency', 'power', 'setPoint', 'capacityUp', 'capacityDown', 'soc', 'energy'] as const
export type SignalKind = (typeof signalKinds)[number]

export const liveKinds = [...signalKinds, 'prices', 'alerts', 'activation', 'notes', 'charger', 'progress'] as const
export type LiveKind = (typeof liveKinds)[number]

/** Capabilities of the calls with the same values; any one is enough. */
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
  notes: ['power.read'],
  charger: ['ev-charging.read'],
  progress: ['bid-request.edit', 'bid-result.take', 'economics.reconcile', 'data-hub.key'],
}
export const mayHear = (subject: Subject, kind: LiveKind): boolean => liveMay[kind].some((name) => can(subject, name))

export const liveReadings = z.object({
  instanceId: id('instance'),
  signals: z.partialRecord(
    z.enum(signalKinds),
    z.object({ x: z.array(z.number()), y: z.array(z.number().nullable()) }),
  ),
})
export type LiveReadings = z.infer<typeof liveReadings>

export const watchId = z
  .string()
  .regex(/^\w{1,40}$/, m.invalidInput)
  .optional()

export type LiveProgress = { watch: string; done: number; total: number }

/** A list with one element looks like a single value in an address. */
const oneOrMore = <S extends z.ZodType>(one: S) => z.union([one, z.array(one).min(1).max(50)])

export const live = call({
  method: 'GET',
  path: '/client/live',
  summary:
    'Stream server-sent events: `hello`, `readings` (see LiveReadings), `prices` (a day was published), `alerts` (one was triggered), `activation` (see LiveActivation: an activation runs or has ended; of all instances), `notes` (one was written, changed or deleted), `charger` (`chargerId`: the state or a session of a charger changed), `progress` (see LiveProgress: the progress of the call with this `watch`), `profile` (the record of your company changed, or the cards of this wall screen), `resync` (events may have been missed: read again), `ping` every 15 s. `instanceIds` and `kinds`, which may be repeated, select the events; without them all events that you may read',
  may: 'live.read',
  wall: true,
  query: z.strictObject({
    instanceIds: oneOrMore(id('instance')).optional(),
    kinds: oneOrMore(z.enum(liveKinds)).optional(),
  }),
  answer: 'events',
})
