import { z } from 'zod'
import { call, id } from '#call.ts'
import { chargingCost } from './charging-costs.ts'
import { connectorStates, connectorId } from './ev-charging.ts'
import { groupParams, tagParams } from './tags.ts'
import { requiredText, shortText } from '#fields.ts'
import { inOrder } from '#days.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { isPlainDecimal } from '#numbers.ts'
import { paged } from '#paging.ts'
import { fileFormat } from '#series.ts'
import { localDate } from '#time.ts'

export const transactionStates = ['starting', 'active', 'ended', 'abandoned', 'orphan'] as const

export const chargerTransaction = z.object({
  _id: id('charger-transaction'),
  idTag: z.string().nullable(),
  tagName: z.string().nullable(),
  chargerId: id('charger'),
  chargerName: z.string(),
  connectorId: z.number().nullable(),
  mode: z.enum(['tag', 'remote', 'adhoc']),
  type: z.enum(['AC', 'DC']),
  status: z.enum(transactionStates),
  chargingState: z.enum(connectorStates).nullable(),
  /** kWh, of a running session so far; null when unknown or doubted. */
  consumption: z.number().nullable(),
  /** kWh that the charger reported and the connector cannot have delivered: in no sum until a user has reviewed it. */
  doubtedKwh: z.number().nullable(),
  energyReview: z.object({ by: z.string(), at: z.iso.datetime(), reason: z.string() }).nullable(),
  maxKw: z.number(),
  estimated: z.boolean(),
  /** Null until it is calculated, a minute after the end. */
  cost: chargingCost.nullable(),
  refused: z.boolean(),
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
})
export type ChargerTransaction = z.infer<typeof chargerTransaction>

export const sessionColumns = [
  'tag',
  'idTag',
  'charger',
  'connector',
  'mode',
  'consumption',
  'cost',
  'status',
  'type',
  'start',
  'end',
] as const

export const findChargerTransactions = call({
  method: 'GET',
  path: '/client/evc/transaction',
  summary:
    'List sessions, newest first or by `sort`, 15 a page; `search` in tag, its name and charger; count and kWh cover all matches. With `format` as a file',
  may: 'ev-charging.read',
  of: ['charging-price', 'charging-session', 'tag', 'charger'],
  sorts: sessionColumns,
  query: z
    .strictObject({
      ...paged(sessionColumns, limits.evPageSize),
      search: shortText.optional(),
      chargerId: id('charger').optional(),
      connectorId: connectorId.optional(),
      groupId: id('charger-tag-group').optional(),
      tagId: id('charger-tag').optional(),
      startDate: localDate.optional(),
      endDate: localDate.optional(),
      /** Only sessions with doubted energy, and sessions of refused tags in the last 30 days. */
      attention: z.literal('true').optional(),
      format: fileFormat.optional(),
    })
    .refine(...inOrder),
  response: z.object({
    transactions: z.array(chargerTransaction),
    overallConsumption: z.number(),
    refusedConsumption: z.number(),
    totalCount: z.number(),
  }),
})

export const getChargerTransaction = call({
  method: 'GET',
  path: '/client/evc/transaction/{id}',
  summary: 'Get a session',
  may: 'ev-charging.read',
  of: ['charging-price', 'charging-session', 'tag', 'charger'],
  params: z.object({ id: id('charger-transaction') }),
  response: z.object({ transaction: chargerTransaction }),
})

const sessionKwh = z
  .string({ error: m.required })
  .max(12, m.number)
  .refine(isPlainDecimal, { error: m.number, abort: true })
  .refine((given) => Number(given) >= 0, m.atLeast(0))
  .refine((given) => Number(given) <= 100_000, m.atMost(100_000))
  .refine((given) => (given.split('.')[1] ?? '').length <= 3, m.decimals(3))
  .meta({ examples: ['12.5'] })

export const reviewSessionEnergy = call({
  method: 'POST',
  path: '/client/evc/transaction/{id}/energy',
  summary: 'Confirm or correct the energy of a session that its connector cannot have delivered; its cost follows',
  may: 'ev-charging.edit',
  touches: ['charging-session', 'payment'],
  params: z.object({ id: id('charger-transaction') }),
  body: z.strictObject({ kwh: sessionKwh, reason: requiredText(200) }),
  response: z.object({ transaction: chargerTransaction }),
  ok: m.energyReviewed,
})

export const endSession = call({
  method: 'POST',
  path: '/client/evc/transaction/{id}/end',
  summary: 'End a session whose charger reports no end, at its last reading; a stop that arrives later corrects it',
  may: 'ev-charging.remote',
  touches: ['charging-session', 'payment'],
  params: z.object({ id: id('charger-transaction') }),
  body: z.strictObject({ reason: requiredText(200) }),
  response: z.object({ transaction: chargerTransaction }),
  ok: m.sessionEndedByUser,
})

const remoteBody = z.strictObject({
  chargerId: id('charger'),
  connectorId: z.number().int().min(1).max(limits.connectorsPerCharger),
})
const remoteAnswer = z.object({
  status: z.string(),
  accepted: z.boolean(),
})

export const remoteStart = call({
  method: 'POST',
  path: '/client/evc/remote/start',
  summary:
    'Request that a charger starts a session, optionally with a tag of the company; the response is the answer of the charger',
  may: 'ev-charging.remote',
  touches: ['charging-session'],
  body: remoteBody.extend({ tagId: id('charger-tag').optional() }),
  response: remoteAnswer,
})

export const remoteStop = call({
  method: 'POST',
  path: '/client/evc/remote/stop',
  summary: 'Request that a charger stops the session of a connector; the response is the answer of the charger',
  may: 'ev-charging.remote',
  touches: ['charging-session'],
  body: remoteBody,
  response: remoteAnswer,
})

const stops = z.object({
  stops: z.array(
    z.object({
      chargerName: z.string(),
      connectorId: z.number().nullable(),
      status: z.string(),
      accepted: z.boolean(),
    }),
  ),
})

export const stopTagSessions = call({
  method: 'POST',
  path: '/client/evc/tag/{id}/stop',
  summary: 'Request that chargers stop the running sessions of a tag; the response has the answer of each charger',
  may: 'ev-charging.remote',
  touches: ['charging-session'],
  params: tagParams,
  response: stops,
})

export const stopGroupSessions = call({
  method: 'POST',
  path: '/client/evc/group/{id}/stop',
  summary:
    'Request that chargers stop the running sessions of all tags of a group; the response has the answer of each charger',
  may: 'ev-charging.remote',
  touches: ['charging-session'],
  params: groupParams,
  response: stops,
})
