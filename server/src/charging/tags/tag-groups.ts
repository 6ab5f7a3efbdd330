import * as contract from '@gridmast/contract/charging/tags.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { budgetColumns, budgetOf, findSpending, judge, type Spending } from './budgets.ts'
import { ownRoute } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  countRows,
  deleteRows,
  insertRow,
  lockCustomer,
  lockRow,
  selectRows,
  updateRows,
} from '#platform/records/rows.ts'
import { findOpenSessions } from '#charging/chargers/connectors.ts'
import { byName } from '#platform/http/list-query.ts'

const groupsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('charger_tag_group as g')
    .select(['g.group_id', 'g.name', 'g.active', 'g.created_at'])
    .select(['g.budget_dkk', 'g.budget_kwh', 'g.warn_percent'])
    .select((of) =>
      of
        .selectFrom('charger_tag as t')
        .whereRef('t.customer_id', '=', 'g.customer_id')
        .whereRef('t.group_id', '=', 'g.group_id')
        .select((select) => select.fn.countAll<number>().as('count'))
        .as('tag_count'),
    )
    .where('g.customer_id', '=', customerId)

type GroupRow = Awaited<ReturnType<ReturnType<typeof groupsOf>['executeTakeFirstOrThrow']>>

const toGroup = (row: GroupRow, spending: Spending): contract.ChargerTagGroup => ({
  _id: row.group_id,
  name: row.name,
  action: row.active,
  tagCount: row.tag_count ?? 0,
  budget: judge(budgetOf(row), spending.groups.get(row.group_id)),
  createdAt: row.created_at.toISOString(),
})

export const lockGroup = async (tx: Tx, customerId: string, groupId: string): Promise<void> => {
  await lockRow(tx, customerId, 'charger_tag_group', { group_id: groupId }, ['group_id'])
}

const getGroup = async (tx: Tx, customerId: string, groupId: string, nowMs: number) => {
  const row = await groupsOf(tx, customerId).where('g.group_id', '=', groupId).executeTakeFirstOrThrow(notFound)
  return toGroup(row, await findSpending(tx, customerId, nowMs))
}

const checkName = async (tx: Tx, customerId: string, name: string, groupId: string): Promise<void> => {
  await lockCustomer(tx, customerId)
  const other = await selectRows(tx, customerId, 'charger_tag_group')
    .select('group_id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('group_id', '!=', groupId)
    .executeTakeFirst()
  if (other) throw new Refusal(409, m.tagGroupTaken, { errors: { name: m.tagGroupTaken } })
}

const find = ownRoute(contract.findChargerTagGroups, async (tx, customerId, { nowMs }) => {
  const rows = await groupsOf(tx, customerId)
    .orderBy(byName(sql`g.name`))
    .execute()
  const spending = await findSpending(tx, customerId, nowMs)
  return { groups: rows.map((row) => toGroup(row, spending)) }
})

const add = ownRoute(contract.addChargerTagGroup, async (tx, customerId, { audit, nowMs, body }) => {
  const groupId = newId(nowMs)
  await checkName(tx, customerId, body.name, groupId)
  if ((await countRows(selectRows(tx, customerId, 'charger_tag_group'))) >= limits.tagGroups)
    throw new Refusal(409, m.tooManyTagGroups(limits.tagGroups))
  await insertRow(tx, customerId, 'charger_tag_group', {
    group_id: groupId,
    name: body.name,
    active: body.action,
    created_at: new Date(nowMs),
    ...budgetColumns(body),
  }).execute()
  const group = await getGroup(tx, customerId, groupId, nowMs)
  await audit(tx, 'charger-tag-group.create', group.name, { after: group })
  return { group }
})

const save = ownRoute(contract.saveChargerTagGroup, async (tx, customerId, { audit, params, body, nowMs }) => {
  const before = await getGroup(tx, customerId, params.id, nowMs)
  if (body.name !== undefined) await checkName(tx, customerId, body.name, params.id)
  const { name = before.name, action: active = before.action } = body
  await updateRows(tx, customerId, 'charger_tag_group', { group_id: params.id })
    .set({ name, active, ...budgetColumns(body) })
    .execute()
  const group = await getGroup(tx, customerId, params.id, nowMs)
  rowChanged(tx, 'charger-tags', customerId)
  await audit(tx, 'charger-tag-group.update', group.name, { before, after: group })
  return { group, running: (await findOpenSessions(tx, customerId, { group_id: params.id })).length }
})

const remove = ownRoute(contract.removeChargerTagGroup, async (tx, customerId, { audit, params, nowMs }) => {
  const before = await getGroup(tx, customerId, params.id, nowMs)
  await deleteRows(tx, customerId, 'charger_tag_group', { group_id: params.id }).execute()
  rowChanged(tx, 'charger-tags', customerId)
  await audit(tx, 'charger-tag-group.delete', before.name, { before })
})

export const tagGroups = [find, add, save, remove]
