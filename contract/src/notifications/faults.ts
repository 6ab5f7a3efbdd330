import { z } from 'zod'
import { alertCriteria } from '#delivery/alerts.ts'
import { triggeredTypes } from '#notifications/triggered.ts'
import { budgetScopes } from '#charging/charging-budgets.ts'
import { call, id } from '#call.ts'
import { fileFormat } from '#series.ts'

const since = z.iso.datetime().nullable()

/** Faults that need a user now, one entry per fault and not per message. */
export const fault = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('charger'),
    chargerId: id('charger'),
    name: z.string(),
    connectorId: z.number(),
    error: z.string().nullable(),
    since,
  }),
  z.object({ kind: z.literal('edge'), name: z.string(), instances: z.array(z.string()), since }),
  z.object({
    kind: z.literal('slots'),
    market: z.string(),
    instanceId: id('instance'),
    instanceName: z.string(),
    count: z.number(),
    start: z.iso.datetime(),
    /** kW missing in the worst slot; null when the expected capacity is unknown. */
    shortKw: z.number().nullable(),
    since,
  }),
  z.object({
    kind: z.literal('budget'),
    scope: z.enum(budgetScopes),
    name: z.string(),
    state: z.enum(['warned', 'spent']),
    since,
  }),
  z.object({ kind: z.literal('meters'), names: z.array(z.string()), count: z.number(), since }),
  z.object({
    kind: z.literal('alert'),
    _id: id('alert-trigger'),
    name: z.string(),
    source: z.string(),
    instanceName: z.string(),
    type: z.enum(triggeredTypes),
    criteria: z.enum(alertCriteria),
    threshold: z.number(),
    value: z.number(),
    count: z.number(),
    isAcknowledged: z.boolean(),
    since,
  }),
])
export type Fault = z.infer<typeof fault>

export const findFaults = call({
  method: 'GET',
  path: '/client/alert/fault',
  summary:
    'List the open faults of chargers, edges, meters and sold slots, and the alerts triggered today, the most urgent first; only those that the viewer may read; as a file with format=xlsx or csv',
  may: 'alert.read',
  wall: true,
  of: ['alert', 'instance', 'charger', 'meter'],
  query: z.strictObject({ format: fileFormat.optional() }),
  response: z.object({ faults: z.array(fault) }),
})
