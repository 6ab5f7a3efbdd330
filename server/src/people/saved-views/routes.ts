import { sql } from 'kysely'
import type { SavedView } from '@gridmast/contract/people/saved-views.ts'
import * as contract from '@gridmast/contract/people/saved-views.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { can } from '@gridmast/contract/roles.ts'
import type { Viewer } from '#access/viewer.ts'
import { ownRoute } from '#context.ts'
import { forbidden, invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, deleteRows, insertRow, lockCustomer, selectRows, updateRows } from '#platform/records/rows.ts'
import { byName } from '#platform/http/list-query.ts'

const columns = ['view_id', 'list', 'owner_id', 'name', 'search'] as const
type ViewRow = { view_id: string; list: string; owner_id: string | null; name: string; search: string }

const toView = (row: ViewRow, isDefault: boolean): SavedView => ({
  _id: row.view_id,
  name: row.name,
  shared: row.owner_id === null,
  isDefault,
  search: row.search,
})

/** The user's own views and those of the company. */
const visibleTo = (tx: Tx, customerId: string, { userId }: Viewer) =>
  selectRows(tx, customerId, 'saved_view')
    .select(columns)
    .where((where) => where.or([where('owner_id', '=', userId), where('owner_id', 'is', null)]))

const defaultOf = async (tx: Tx, customerId: string, { userId }: Viewer, list: string) =>
  (await selectRows(tx, customerId, 'default_view', { user_id: userId, list }).select('view_id').executeTakeFirst())
    ?.view_id

const lockOne = async (tx: Tx, customerId: string, viewer: Viewer, viewId: string): Promise<ViewRow> => {
  await lockCustomer(tx, customerId)
  const row = await visibleTo(tx, customerId, viewer).where('view_id', '=', viewId).executeTakeFirstOrThrow(notFound)
  if (row.owner_id === null && !can(viewer, 'view.share')) throw forbidden()
  return row
}

const checkName = async (tx: Tx, customerId: string, row: Omit<ViewRow, 'search'>) => {
  const others = await selectRows(tx, customerId, 'saved_view', {
    list: row.list,
    owner_id: row.owner_id,
    name: row.name,
  })
    .select('view_id')
    .execute()
  if (others.some(({ view_id }) => view_id !== row.view_id)) throw invalid({ name: m.viewExists })
}

const checkCount = async (tx: Tx, customerId: string, ownerId: string | null) => {
  const count = await countRows(selectRows(tx, customerId, 'saved_view', { owner_id: ownerId }))
  if (count >= limits.savedViews) throw new Refusal(409, m.tooManyViews(limits.savedViews))
}

const subjectOf = ({ list, name }: ViewRow) => `${list}: ${name}`
const contentOf = ({ name, search, owner_id }: ViewRow) => ({ name, search, shared: owner_id === null })

const find = ownRoute(contract.findSavedViews, async (tx, customerId, { viewer, query: { list } }) => {
  const rows = await visibleTo(tx, customerId, viewer)
    .where('list', '=', list)
    .orderBy(byName(sql`name`))
    .orderBy('view_id')
    .execute()
  const defaultId = await defaultOf(tx, customerId, viewer, list)
  return { views: rows.map((row) => toView(row, row.view_id === defaultId)) }
})

const add = ownRoute(contract.addSavedView, async (tx, customerId, { viewer, audit, nowMs, body }) => {
  const { list, name, search, shared } = body
  if (shared && !can(viewer, 'view.share')) throw forbidden()
  await lockCustomer(tx, customerId)
  const row: ViewRow = { view_id: newId(nowMs), list, name, search, owner_id: shared ? null : viewer.userId }
  await checkName(tx, customerId, row)
  await checkCount(tx, customerId, row.owner_id)
  await insertRow(tx, customerId, 'saved_view', row).execute()
  if (shared) await audit(tx, 'saved-view.add', subjectOf(row), { after: contentOf(row) })
  return { view: toView(row, false) }
})

const change = ownRoute(contract.changeSavedView, async (tx, customerId, { viewer, audit, params, body }) => {
  if (body.shared && !can(viewer, 'view.share')) throw forbidden()
  const before = await lockOne(tx, customerId, viewer, params.id)
  const { name = before.name, search = before.search } = body
  const after: ViewRow = { ...before, name, search, owner_id: body.shared ? null : before.owner_id }
  await checkName(tx, customerId, after)
  if (after.owner_id !== before.owner_id) await checkCount(tx, customerId, after.owner_id)
  await updateRows(tx, customerId, 'saved_view', { view_id: params.id })
    .set({ name, search, owner_id: after.owner_id })
    .execute()
  if (after.owner_id === null)
    await audit(tx, 'saved-view.change', subjectOf(before), { before: contentOf(before), after: contentOf(after) })
  return { view: toView(after, (await defaultOf(tx, customerId, viewer, after.list)) === after.view_id) }
})

const remove = ownRoute(contract.removeSavedView, async (tx, customerId, { viewer, audit, params }) => {
  const before = await lockOne(tx, customerId, viewer, params.id)
  await deleteRows(tx, customerId, 'saved_view', { view_id: params.id }).execute()
  if (before.owner_id === null) await audit(tx, 'saved-view.remove', subjectOf(before), { before: contentOf(before) })
})

const setDefault = ownRoute(contract.setDefaultView, async (tx, customerId, { viewer, body: { list, viewId } }) => {
  await lockCustomer(tx, customerId)
  const key = { user_id: viewer.userId, list }
  await deleteRows(tx, customerId, 'default_view', key).execute()
  if (viewId === null) return
  const isVisible = await visibleTo(tx, customerId, viewer)
    .where('view_id', '=', viewId)
    .where('list', '=', list)
    .executeTakeFirst()
  if (!isVisible) throw notFound()
  await insertRow(tx, customerId, 'default_view', { ...key, view_id: viewId }).execute()
})

export const savedViews = [find, add, change, remove, setDefault]
