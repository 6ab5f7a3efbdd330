import { z } from 'zod'
import { call, id } from '#call.ts'
import { budgetForm, chargingBudget } from './charging-budgets.ts'
import { chargingCost } from './charging-costs.ts'
import { numberInUrl, requiredText, shortText } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { isPlainDecimal } from '#numbers.ts'
import { paged } from '#paging.ts'
import { fileFormat, graph } from '#series.ts'
import { simulated } from '#source.ts'
import { localDate } from '#time.ts'

/** Chargers differ in case and padding, so a tag is stored trimmed and in upper case; more than 20 characters are OCPP 2.0.1 only. */
const tagID = requiredText(limits.tagLength)

export const chargerTag = z.object({
  _id: id('charger-tag'),
  name: z.string(),
  tagID: z.string(),
  action: z.boolean(),
  groupId: id('charger-tag-group').nullable(),
  groupData: z.object({ name: z.string(), action: z.boolean() }).nullable(),
  properties: z.object({ chargingType: z.literal('tagId') }),
  budget: chargingBudget,
  createdAt: z.iso.datetime(),
})
export type ChargerTag = z.infer<typeof chargerTag>

const tagForm = {
  name: shortText,
  tagID,
  action: z.boolean(),
  groupId: id('charger-tag-group').nullable().optional(),
  properties: z.strictObject({ chargingType: z.literal('tagId') }).optional(),
  ...budgetForm,
}
const tagParams = z.object({ id: id('charger-tag') })

/** Running sessions of the tag; they continue after it is disabled until they are stopped. */
const running = z.number()

export const addChargerTag = call({
  method: 'POST',
  path: '/client/evc/tag',
  summary: 'Register a tag',
  may: 'ev-charging.edit',
  touches: ['tag'],
  body: z.strictObject(tagForm),
  response: z.object({ tag: chargerTag }),
  ok: m.tagCreated,
})

export const saveChargerTag = call({
  method: 'PATCH',
  path: '/client/evc/tag/{id}',
  summary: 'Change a tag, or only its active flag',
  may: 'ev-charging.edit',
  touches: ['tag'],
  params: tagParams,
  body: z.strictObject(tagForm).partial(),
  response: z.object({ tag: chargerTag, running }),
  ok: m.tagUpdated,
})

export const tagColumns = ['name', 'tagID', 'group', 'created', 'active'] as const

export const findChargerTags = call({
  method: 'GET',
  path: '/client/evc/tag',
  summary: 'Tags by name or `sort`, 15 a page; of one group where it is named; `search` in name, tag and group',
  may: 'ev-charging.read',
  of: ['tag'],
  query: z.strictObject({
    ...paged(tagColumns, limits.evPageSize),
    groupId: id('charger-tag-group').optional(),
    search: shortText.optional(),
  }),
  response: z.array(z.object({ tags: z.array(chargerTag), totalCount: z.number() })),
})

export const getChargerTag = call({
  method: 'GET',
  path: '/client/evc/tag/{id}',
  summary: 'One tag',
  may: 'ev-charging.read',
  of: ['tag'],
  params: tagParams,
  response: z.object({ tag: chargerTag }),
})

export const removeChargerTag = call({
  method: 'DELETE',
  path: '/client/evc/tag/{id}',
  summary: 'Delete a tag; its sessions stay',
  may: 'ev-charging.edit',
  touches: ['tag'],
  params: tagParams,
  ok: m.tagDeleted,
})

export const chargerTagGroup = z.object({
  _id: id('charger-tag-group'),
  name: z.string(),
  action: z.boolean(),
  tagCount: z.number(),
  budget: chargingBudget,
  createdAt: z.iso.datetime(),
})
export type ChargerTagGroup = z.infer<typeof chargerTagGroup>

const groupForm = z.strictObject({ name: shortText, action: z.boolean(), ...budgetForm })
const groupParams = z.object({ id: id('charger-tag-group') })

export const addChargerTagGroup = call({
  method: 'POST',
  path: '/client/evc/group',
  summary: 'Add a group of tags',
  may: 'ev-charging.edit',
  touches: ['tag'],
  body: groupForm,
  response: z.object({ group: chargerTagGroup }),
  ok: m.tagGroupCreated,
})

export const saveChargerTagGroup = call({
  method: 'PATCH',
  path: '/client/evc/group/{id}',
  summary: 'Change a group; one that is not active blocks all of its tags',
  may: 'ev-charging.edit',
  touches: ['tag'],
  params: groupParams,
  body: groupForm.partial(),
  response: z.object({ group: chargerTagGroup, running }),
  ok: m.tagGroupUpdated,
})

export const findChargerTagGroups = call({
  method: 'GET',
  path: '/client/evc/group',
  summary: 'All groups of tags by name',
  may: 'ev-charging.read',
  of: ['tag'],
  response: z.object({ groups: z.array(chargerTagGroup) }),
})

export const removeChargerTagGroup = call({
  method: 'DELETE',
  path: '/client/evc/group/{id}',
  summary: 'Delete a group; its tags stay, without a group',
  may: 'ev-charging.edit',
  touches: ['tag'],
  params: groupParams,
  ok: m.tagGroupDeleted,
})

export const connectorStates = [
  'available',
  'preparing',
  'charging',
  'suspended-ev',
  'suspended-evse',
  'finishing',
  'occupied',
  'reserved',
  'unavailable',
  'faulted',
  'unknown',
] as const

export const charger = z.object({
  _id: id('charger'),
  name: z.string(),
  identity: z.string(),
  description: z.string(),
  createdAt: z.iso.datetime(),
  meta: z.object({
    serialNumber: z.string().nullable(),
    connectors: z.number(),
    chargerType: z.enum(['AC', 'DC']),
    isActive: z.boolean(),
    maxKw: z.number(),
    vendor: z.string().nullable(),
    model: z.string().nullable(),
    firmware: z.string().nullable(),
    version: z.string().nullable(),
  }),
  lastSeen: z.iso.datetime().nullable(),
  connectors: z.array(
    z.object({
      connectorId: z.number(),
      state: z.enum(connectorStates),
      error: z.string().nullable(),
      since: z.iso.datetime().nullable(),
      transactionId: id('charger-transaction').nullable(),
      powerKw: z.number().nullable(),
      soc: z.number().nullable(),
    }),
  ),
  simulated,
})
export type Charger = z.infer<typeof charger>

export const findChargers = call({
  method: 'GET',
  path: '/client/evc/connector/{id}',
  summary: 'The chargers of a license with the state of each connector now',
  may: 'ev-charging.read',
  of: ['charger', 'charging-session'],
  params: z.object({ id: id('licence') }),
  response: z.object({ chargers: z.array(charger) }),
})

const connectorId = numberInUrl(z.int().min(0).max(limits.connectorsPerCharger))

export const chargerOverview = call({
  method: 'GET',
  path: '/client/evc/overview',
  summary:
    'Power, consumption by hour and state of charge of a connector on a local day; state of charge is empty where the charger does not report it. With `format` the samples of one `chart`',
  may: 'ev-charging.read',
  of: ['charger', 'charging-session', 'tag'],
  query: z.strictObject({
    chargerId: id('charger'),
    connectorId: connectorId.default(1),
    date: localDate.optional(),
    format: fileFormat.optional(),
    chart: z.enum(['power', 'consumption', 'soc']).default('power'),
  }),
  response: z.object({
    powerData: graph,
    consumptionData: graph,
    SocData: graph,
    lastReported: z.iso.datetime().nullable(),
    simulated,
  }),
})

export const chargerLastReported = call({
  method: 'GET',
  path: '/client/evc/last-reported',
  summary: 'When a connector was last measured',
  may: 'ev-charging.read',
  query: z.strictObject({ chargerId: id('charger'), connectorId: connectorId.default(1) }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})

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
    'Sessions, newest first or by `sort`, 15 a page; `search` in tag, its name and charger; count and kWh cover all that match. With `format` the file of them',
  may: 'ev-charging.read',
  of: ['charging-price', 'charging-session', 'tag', 'charger'],
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
    .refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
      path: ['endDate'],
      error: m.endBeforeStart,
    }),
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
  summary: 'One session',
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
  summary: 'End a session whose charger reports no end, as of its last reading; a stop that arrives later corrects it',
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
  summary: 'Ask a charger to start a session, with one of the tags of the company if it is named; answers its own word',
  may: 'ev-charging.remote',
  touches: ['charging-session'],
  body: remoteBody.extend({ tagId: id('charger-tag').optional() }),
  response: remoteAnswer,
})

export const remoteStop = call({
  method: 'POST',
  path: '/client/evc/remote/stop',
  summary: 'Ask a charger to stop the session of a connector; answers its own word',
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
  summary: 'Ask the chargers to stop the running sessions of a tag; answers the word of each',
  may: 'ev-charging.remote',
  touches: ['charging-session'],
  params: tagParams,
  response: stops,
})

export const stopGroupSessions = call({
  method: 'POST',
  path: '/client/evc/group/{id}/stop',
  summary: 'Ask the chargers to stop the running sessions of all tags of a group; answers the word of each',
  may: 'ev-charging.remote',
  touches: ['charging-session'],
  params: groupParams,
  response: stops,
})

const choice = z.strictObject({
  /** A tag may charge at one place at a time; other starts are refused, running sessions continue. */
  oneSession: z.boolean(),
})

export const getChargingChoice = call({
  method: 'GET',
  path: '/client/evc/choice',
  summary: 'The company’s settings for tags',
  may: 'ev-charging.read',
  of: ['charging-choice'],
  response: choice,
})

export const saveChargingChoice = call({
  method: 'PATCH',
  path: '/client/evc/choice',
  summary: 'Choose whether a tag may charge at several places at once',
  may: 'ev-charging.edit',
  touches: ['charging-choice'],
  body: choice,
  ok: m.settingSaved,
})
