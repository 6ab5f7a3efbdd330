import { z } from 'zod'
import { call, id } from '#call.ts'
import { requiredText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'

/** Lists with saved views, and their names in the audit trail. */
export const viewedLists = [
  'events',
  'alerts',
  'triggered-alerts',
  'bid-requests',
  'settlements',
  'statement-lines',
  'operator-statements',
  'monthly-statements',
  'charging-sessions',
  'tags',
  'payments',
  'email-subscriptions',
  'audit-trail',
  'load-plans',
  'load-savings',
  'load-backtests',
  'scope-2-reports',
  'meters',
  'meter-figures',
] as const
export type ViewedList = (typeof viewedLists)[number]

export const savedView = z.object({
  _id: id('saved-view'),
  name: z.string(),
  /** Of the company; otherwise of the caller. */
  shared: z.boolean(),
  isDefault: z.boolean(),
  search: z.string(),
})
export type SavedView = z.infer<typeof savedView>

const list = z.enum(viewedLists)
const name = requiredText(limits.viewNameMax)
/** The query of the page's URL; the page drops what it does not know. */
const search = text(limits.viewSearchMax)
const viewId = z.object({ id: id('saved-view') })

export const findSavedViews = call({
  method: 'GET',
  path: '/client/saved-view',
  summary: 'List the saved views of a list by name: your own, and those of the company',
  may: 'session.use',
  of: ['saved-view'],
  query: z.strictObject({ list }),
  response: z.object({ views: z.array(savedView) }),
})

export const addSavedView = call({
  method: 'POST',
  path: '/client/saved-view',
  summary: 'Save filters, columns and order of a list under a name; `shared`, for the company, needs the role Sudoer',
  may: 'session.use',
  touches: ['saved-view'],
  body: z.strictObject({ list, name, search, shared: z.boolean().default(false) }),
  response: z.object({ view: savedView }),
  ok: m.viewSaved,
})

export const changeSavedView = call({
  method: 'PATCH',
  path: '/client/saved-view/{id}',
  summary: 'Rename a saved view, replace its content or share it; a view of the company needs the role Sudoer',
  may: 'session.use',
  touches: ['saved-view'],
  params: viewId,
  body: z.strictObject({ name: name.optional(), search: search.optional(), shared: z.literal(true).optional() }),
  response: z.object({ view: savedView }),
  ok: m.viewSaved,
})

export const removeSavedView = call({
  method: 'DELETE',
  path: '/client/saved-view/{id}',
  summary: 'Delete a saved view; a view of the company needs the role Sudoer',
  may: 'session.use',
  touches: ['saved-view'],
  params: viewId,
  ok: m.viewDeleted,
})

export const setDefaultView = call({
  method: 'PUT',
  path: '/client/saved-view/default',
  summary: 'Set the saved view with which a list opens for you; null: none',
  may: 'session.use',
  touches: ['saved-view'],
  body: z.strictObject({ list, viewId: id('saved-view').nullable() }),
  ok: m.settingSaved,
})
