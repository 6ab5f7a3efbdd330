import { z } from 'zod'
import { call, id } from '#call.ts'
import { relativeRanges } from '#choices.ts'
import { chargingSums, uncountedSessions } from './charging-costs.ts'
import { connectorStates } from './ev-charging.ts'
import { numberInUrl } from '#fields.ts'
import { windowQuery } from '#grid/frequency.ts'
import { fileFormat, graph } from '#series.ts'
import { simulatedSum } from '#source.ts'
import { localDate } from '#time.ts'

const usage = z.object({ sessions: z.number(), energyKwh: z.number() })

export const attentionReasons = ['faulted', 'offline', 'never-connected', 'energy-doubted', 'charged-refused'] as const

const fleetCharger = usage.extend({
  _id: id('charger'),
  name: z.string(),
  description: z.string(),
  meta: z.object({ isActive: z.boolean() }),
  connectors: z.array(z.object({ connectorId: z.number(), state: z.enum(connectorStates) })),
  /** Share of its connectors' time in these days with a charging or plugged-in car; null when the charger is newer than a minute. */
  utilisation: z.number().nullable(),
})
export type FleetCharger = z.infer<typeof fleetCharger>

const attention = z.object({
  chargerId: id('charger'),
  name: z.string(),
  connectorId: z.number().nullable(),
  reason: z.enum(attentionReasons),
  detail: z.string().nullable(),
  transactionId: id('charger-transaction').nullable(),
  since: z.iso.datetime().nullable(),
})
export type Attention = z.infer<typeof attention>

export const fleetDashboard = call({
  method: 'GET',
  path: '/client/cfm/dashboard',
  summary:
    'List the charge fleet: each charger with its states, sessions, energy and utilisation over the last `days`, the local days from start to end, or the days of a `range` until now, chargers that need attention, and sessions and energy by day. A `range` replaces start and end. A session counts on the day on which it began. `format` answers a file of the chargers, with `by=day` of the days, with `chart` of the sessions or the energy by day',
  may: 'charge-fleet.read',
  of: ['charger', 'charging-site', 'charging-session', 'tag'],
  query: z.strictObject({
    days: numberInUrl(z.int().min(1).max(90)).default(30),
    start: windowQuery.start,
    end: windowQuery.end,
    range: z.enum(relativeRanges).optional(),
    by: z.enum(['charger', 'day']).default('charger'),
    chart: z.enum(['sessions', 'energy']).optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({
    chargers: z.array(fleetCharger),
    attention: z.array(attention),
    running: z.number(),
    today: usage,
    month: usage,
    costs: chargingSums,
    /** The previous month, up to the same day. */
    before: z.object({ until: localDate, costs: chargingSums }),
    uncounted: uncountedSessions,
    sessionsData: graph,
    energyData: graph,
    simulated: simulatedSum,
  }),
})

export const importKinds = ['new', 'changed', 'same', 'wrong'] as const

const importedRow = z.object({
  line: z.number(),
  name: z.string(),
  tagID: z.string(),
  group: z.string(),
  action: z.boolean().nullable(),
  kind: z.enum(importKinds),
  errors: z.record(z.string(), z.string()),
})
export type ImportedRow = z.infer<typeof importedRow>

export const importChargerTags = call({
  method: 'POST',
  path: '/client/cfm/tag-import',
  summary:
    'Import tags from an .xlsx or .csv file with the columns Name, Tag ID, Group and Active: the change of each row; with `save` rows without errors are saved, and missing groups are created',
  may: 'charge-fleet.import',
  touches: ['tag'],
  upload: 'file',
  body: z.strictObject({ save: z.boolean() }),
  response: z.object({
    rows: z.array(importedRow),
    counts: z.record(z.enum(importKinds), z.number()),
    saved: z.boolean(),
  }),
})
