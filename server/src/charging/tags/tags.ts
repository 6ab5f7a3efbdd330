import * as contract from '@gridmast/contract/charging/tags.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { budgetColumns, budgetOf, findSpending, judge, type Spending, usedShare } from './budgets.ts'
import { isReservedTag, normaliseTag } from './authorise.ts'
import { ownRoute } from '#context.ts'
import { eachOf } from '#platform/http/bulk.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { byName, containing, orderBy, page } from '#platform/http/list-query.ts'
import { newId } from '#platform/records/ids.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  onKey,
  countRows,
  deleteRows,
  insertRow,
  lockCustomer,
  selectRows,
  updateRows,
  findRow,
} from '#platform/records/rows.ts'
import { findOpenSessions } from '#charging/chargers/connectors.ts'
import { lockGroup } from './tag-groups.ts'

const tagsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('charger_tag as t')
    .leftJoin('charger_tag_group as g', onKey('g', 't', 'group_id'))
    .select(['t.tag_id', 't.tag', 't.name', 't.active', 't.group_id', 't.created_at'])
    .select(['t.budget_dkk', 't.budget_kwh', 't.warn_percent'])
    .select(['g.name as group_name', 'g.active as group_active'])
    .where('t.customer_id', '=', customerId)

type TagRow = Awaited<ReturnType<ReturnType<typeof tagsOf>['executeTakeFirstOrThrow']>>

const toTag = (row: TagRow, spending: Spending): contract.ChargerTag => ({
  _id: row.tag_id,
  name: row.name,
  tagID: row.tag,
  action: row.active,
  groupId: row.group_id,
  groupData: row.group_name === null ? null : { name: row.group_name, action: row.group_active ?? false },
  properties: { chargingType: 'tagId' },
  budget: judge(budgetOf(row), spending.tags.get(row.tag_id)),
  createdAt: row.created_at.toISOString(),
})

export const getTag = async (tx: Tx, customerId: string, tagId: string, nowMs: number) => {
  const row = await tagsOf(tx, customerId).where('t.tag_id', '=', tagId).executeTakeFirstOrThrow(notFound)
  return toTag(row, await findSpending(tx, customerId, nowMs, { tagId, groupId: null }))
}

const checkTag = async (tx: Tx, customerId: string, tagID: string, tagId: string): Promise<string> => {
  const tag = normaliseTag(tagID)
  if (tag.length > limits.tagLength) throw invalid({ tagID: m.longest(limits.tagLength) })
  if (isReservedTag(tag)) throw invalid({ tagID: m.tagReserved })
  await lockCustomer(tx, customerId)
  const other = await selectRows(tx, customerId, 'charger_tag', { tag })
    .select('tag_id')
    .where('tag_id', '!=', tagId)
    .executeTakeFirst()
  if (other) throw new Refusal(409, m.tagTaken, { errors: { tagID: m.tagTaken } })
  return tag
}

const add = ownRoute(contract.addChargerTag, async (tx, customerId, { audit, nowMs, body }) => {
  const tagId = newId(nowMs)
  if (body.groupId) await lockGroup(tx, customerId, body.groupId)
  const tag = await checkTag(tx, customerId, body.tagID, tagId)
  if ((await countRows(selectRows(tx, customerId, 'charger_tag'))) >= limits.tags)
    throw new Refusal(409, m.tooManyTags(limits.tags))
  await insertRow(tx, customerId, 'charger_tag', {
    tag_id: tagId,
    tag,
    name: body.name,
    active: body.action,
    group_id: body.groupId ?? null,
    created_at: new Date(nowMs),
    ...budgetColumns(body),
  }).execute()
  const created = await getTag(tx, customerId, tagId, nowMs)
  rowChanged(tx, 'charger-tags', customerId)
  await audit(tx, 'charger-tag.create', created.name, { after: created })
  return { tag: created }
})

const save = ownRoute(contract.saveChargerTag, async (tx, customerId, { audit, params, body, nowMs }) => {
  const before = await getTag(tx, customerId, params.id, nowMs)
  if (body.groupId) await lockGroup(tx, customerId, body.groupId)
  const { name = before.name, action: active = before.action, groupId: group_id = before.groupId } = body
  const tag = body.tagID === undefined ? before.tagID : await checkTag(tx, customerId, body.tagID, params.id)
  await updateRows(tx, customerId, 'charger_tag', { tag_id: params.id })
    .set({ name, active, group_id, tag, ...budgetColumns(body) })
    .execute()
  const after = await getTag(tx, customerId, params.id, nowMs)
  rowChanged(tx, 'charger-tags', customerId)
  await audit(tx, 'charger-tag.update', after.name, { before, after })
  return { tag: after, running: (await findOpenSessions(tx, customerId, { tag_id: params.id })).length }
})

const sortColumns = (nowMs: number) => ({
  name: byName(sql`t.name`),
  tagID: sql`t.tag`,
  group: byName(sql`g.name`),
  budget: usedShare(nowMs),
  created: sql`t.created_at`,
  active: sql`t.active`,
})

const find = ownRoute(contract.findChargerTags, async (tx, customerId, { query, nowMs }) => {
  if (query.groupId) await lockGroup(tx, customerId, query.groupId)
  const matching = tagsOf(tx, customerId)
    .$if(query.groupId !== undefined, (of) => of.where('t.group_id', '=', query.groupId ?? ''))
    .$if(query.search !== undefined, (of) =>
      of.where(containing(query.search ?? '', [sql`t.name`, sql`t.tag`, sql`g.name`])),
    )
  const order = orderBy(query, sortColumns(nowMs), sql`${byName(sql`t.name`)}, t.tag_id`)
  const { rows, totalCount } = await page(matching.orderBy(order), query)
  const spending = await findSpending(tx, customerId, nowMs)
  return [{ tags: rows.map((row) => toTag(row, spending)), totalCount }]
})

const get = ownRoute(contract.getChargerTag, async (tx, customerId, { params, nowMs }) => ({
  tag: await getTag(tx, customerId, params.id, nowMs),
}))

const remove = ownRoute(contract.removeChargerTag, async (tx, customerId, { audit, params, nowMs }) => {
  const before = await getTag(tx, customerId, params.id, nowMs)
  await deleteRows(tx, customerId, 'charger_tag', { tag_id: params.id }).execute()
  rowChanged(tx, 'charger-tags', customerId)
  await audit(tx, 'charger-tag.delete', before.name, { before })
})

const move = ownRoute(contract.moveChargerTags, async (tx, customerId, { audit, body: { ids, groupId }, nowMs }) => {
  if (groupId) await lockGroup(tx, customerId, groupId)
  const result = await eachOf(ids, async (tagId) => {
    const before = await getTag(tx, customerId, tagId, nowMs)
    await updateRows(tx, customerId, 'charger_tag', { tag_id: tagId }).set({ group_id: groupId }).execute()
    const after = await getTag(tx, customerId, tagId, nowMs)
    await audit(tx, 'charger-tag.update', after.name, { before, after })
  })
  rowChanged(tx, 'charger-tags', customerId)
  return result
})

const readChoice = async (tx: Tx, customerId: string) => {
  const row = await findRow(tx, customerId, 'charging_choice', {}, ['one_session'])
  return { oneSession: row?.one_session ?? false }
}

const getChoice = ownRoute(contract.getChargingChoice, readChoice)

const saveChoice = ownRoute(contract.saveChargingChoice, async (tx, customerId, { audit, body }) => {
  const before = await readChoice(tx, customerId)
  const one_session = body.oneSession
  await insertRow(tx, customerId, 'charging_choice', { one_session })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet({ one_session }))
    .execute()
  await audit(tx, 'charging-choice.save', 'Tags', { before, after: body })
})

export const tags = [add, save, find, get, remove, move, getChoice, saveChoice]
