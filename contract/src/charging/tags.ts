import { z } from 'zod'
import { bulkResult, ids } from '#bulk.ts'
import { call, id } from '#call.ts'
import { budgetForm, chargingBudget } from './charging-budgets.ts'
import { requiredText, shortText } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'

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
export const tagParams = z.object({ id: id('charger-tag') })

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

export const tagColumns = ['name', 'tagID', 'group', 'budget', 'created', 'active'] as const

export const findChargerTags = call({
  method: 'GET',
  path: '/client/evc/tag',
  summary: 'List tags by name or `sort`, 15 a page; optionally of one group; `search` in name, tag and group',
  may: 'ev-charging.read',
  of: ['tag'],
  sorts: tagColumns,
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
  summary: 'Get a tag',
  may: 'ev-charging.read',
  of: ['tag'],
  params: tagParams,
  response: z.object({ tag: chargerTag }),
})

export const removeChargerTag = call({
  method: 'DELETE',
  path: '/client/evc/tag/{id}',
  summary: 'Delete a tag; its sessions are kept',
  may: 'ev-charging.edit',
  touches: ['tag'],
  params: tagParams,
  ok: m.tagDeleted,
})

export const moveChargerTags = call({
  method: 'POST',
  path: '/client/evc/tag/move',
  summary: 'Move several tags to a group; null: to none',
  may: 'ev-charging.edit',
  touches: ['tag'],
  body: z.strictObject({ ids: ids('charger-tag'), groupId: id('charger-tag-group').nullable() }),
  response: bulkResult,
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
export const groupParams = z.object({ id: id('charger-tag-group') })

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
  summary: 'Change a group; an inactive group blocks all of its tags',
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
  summary: 'List all groups of tags by name',
  may: 'ev-charging.read',
  of: ['tag'],
  response: z.object({ groups: z.array(chargerTagGroup) }),
})

export const removeChargerTagGroup = call({
  method: 'DELETE',
  path: '/client/evc/group/{id}',
  summary: 'Delete a group; its tags are kept, without a group',
  may: 'ev-charging.edit',
  touches: ['tag'],
  params: groupParams,
  ok: m.tagGroupDeleted,
})

const choice = z.strictObject({
  /** A tag may charge at one place at a time; other starts are refused, running sessions continue. */
  oneSession: z.boolean(),
})

export const getChargingChoice = call({
  method: 'GET',
  path: '/client/evc/choice',
  summary: 'Get the company’s settings for tags',
  may: 'ev-charging.read',
  of: ['charging-choice'],
  response: choice,
})

export const saveChargingChoice = call({
  method: 'PATCH',
  path: '/client/evc/choice',
  summary: 'Set whether a tag may charge at several connectors at once',
  may: 'ev-charging.edit',
  touches: ['charging-choice'],
  body: choice,
  ok: m.settingSaved,
})
