import { z } from 'zod'
import { alertTypes } from '#delivery/alerts.ts'
import { bidRequestStatuses } from '#trading/bid-requests.ts'
import { call, id } from './call.ts'
import { requiredText } from './fields.ts'
import { limits } from './limits.ts'

const named = { name: z.string() }

/** A row that a search finds, with what its page needs for its address. */
export const foundRow = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('charger'),
    id: id('charger'),
    ...named,
    identity: z.string(),
    /** Of a search for a connector (`CP-1*2`); otherwise null. */
    connectorId: z.number().nullable(),
  }),
  z.object({ kind: z.literal('site'), id: id('charging-site'), ...named }),
  z.object({ kind: z.literal('tag'), id: id('charger-tag'), ...named, tag: z.string() }),
  z.object({
    kind: z.literal('session'),
    id: id('charger-transaction'),
    chargerName: z.string(),
    tagName: z.string().nullable(),
    startTime: z.iso.datetime(),
  }),
  z.object({ kind: z.literal('meter'), id: id('meter'), ...named, meteringPoint: z.string(), address: z.string() }),
  z.object({
    kind: z.literal('alert'),
    id: id('alert'),
    ...named,
    licenceId: id('licence'),
    instanceName: z.string(),
    type: z.enum(alertTypes),
  }),
  z.object({
    kind: z.literal('bid-request'),
    id: id('bid-request'),
    market: z.string(),
    instanceName: z.string(),
    startDate: z.string(),
    endDate: z.string(),
    status: z.enum(bidRequestStatuses),
  }),
  z.object({
    kind: z.literal('settlement'),
    instanceId: id('instance'),
    instanceName: z.string(),
    day: z.string(),
    product: z.string(),
  }),
  z.object({ kind: z.literal('note'), id: id('support-note'), title: z.string() }),
  z.object({
    kind: z.literal('chart-note'),
    id: id('note'),
    text: z.string(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    /** Null: on the charts of all instances. */
    instanceId: id('instance').nullable(),
    instanceName: z.string().nullable(),
  }),
  z.object({ kind: z.literal('person'), id: id('user'), ...named, email: z.string() }),
  z.object({ kind: z.literal('recipient'), email: z.string() }),
])
export type FoundRow = z.infer<typeof foundRow>
export type FoundKind = FoundRow['kind']

export const search = call({
  method: 'GET',
  path: '/search',
  summary:
    'Find chargers, sites, tags, sessions, meters, alerts, bid requests, settlements, support notes, notes on charts, people and recipients by a part of their name or id; at most five rows of each kind that you may read, those that begin with `q` first',
  may: 'session.use',
  query: z.strictObject({ q: requiredText(limits.searchLength) }),
  response: z.object({ found: z.array(foundRow) }),
})
