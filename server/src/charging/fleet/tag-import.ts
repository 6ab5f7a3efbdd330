import * as contract from '@gridmast/contract/charging/charge-fleet.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { isReservedTag, normaliseTag } from '#charging/tags/authorise.ts'
import { route } from '#context.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import { readUpload, findColumns, truthOf } from '#platform/files/import-table.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, insertRows, lockCustomer, selectRows } from '#platform/records/rows.ts'

const headings = {
  name: ['name', 'navn'],
  tagID: ['tag id', 'tagid', 'tag-id', 'ladebrik-id', 'ladebrik', 'tag', 'id'],
  group: ['group', 'gruppe', 'tag group', 'taggruppe'],
  action: ['active', 'aktiv'],
} as const
type Field = keyof typeof headings

const nameLength = 100

type Row = Omit<contract.ImportedRow, 'kind'>

const checkRow = (line: number, cells: Record<Field, string>, seen: Set<string>): Row => {
  const { name, group } = cells
  const tagID = normaliseTag(cells.tagID)
  const action = cells.action === '' ? true : truthOf(cells.action)
  const errors: Record<string, string> = {}
  if (name === '') errors['name'] = m.required
  else if (name.length > nameLength) errors['name'] = m.longest(nameLength)
  if (tagID === '') errors['tagID'] = m.required
  else if (tagID.length > limits.tagLength) errors['tagID'] = m.longest(limits.tagLength)
  else if (isReservedTag(tagID)) errors['tagID'] = m.tagReserved
  else if (seen.has(tagID)) errors['tagID'] = m.tagTwice
  if (group.length > nameLength) errors['group'] = m.longest(nameLength)
  if (action === null) errors['action'] = m.activeWord
  seen.add(tagID)
  return { line, name, tagID, group, action, errors }
}

const rowsOf = ([head = [], ...table]: string[][]): Row[] => {
  const columns = findColumns(head, headings)
  if (columns.name < 0 || columns.tagID < 0) throw invalid({ file: m.tagColumns })
  const seen = new Set<string>()
  return table.flatMap((cells, i) => {
    const text = (field: Field) => cells[columns[field]] ?? ''
    const row = { name: text('name'), tagID: text('tagID'), group: text('group'), action: text('action') }
    return Object.values(row).every((cell) => cell === '') ? [] : [checkRow(i + 2, row, seen)]
  })
}

/** Locks the customer's row: two imports run one after the other. */
const readStored = async (tx: Tx, customerId: string) => {
  await lockCustomer(tx, customerId)
  const tags = await selectRows(tx, customerId, 'charger_tag')
    .select(['tag_id', 'tag', 'name', 'active', 'group_id'])
    .execute()
  const groups = await selectRows(tx, customerId, 'charger_tag_group').select(['group_id', 'name']).execute()
  return {
    tags: new Map(tags.map((one) => [one.tag, one])),
    groups: new Map(groups.map((one) => [one.name.toLowerCase(), one.group_id])),
  }
}
type Stored = Awaited<ReturnType<typeof readStored>>

const kindOf = (row: Row, { tags, groups }: Stored): contract.ImportedRow['kind'] => {
  if (Object.keys(row.errors).length > 0) return 'wrong'
  const before = tags.get(row.tagID)
  if (!before) return 'new'
  const groupId = row.group === '' ? null : groups.get(row.group.toLowerCase())
  const isSame = before.name === row.name && before.active === row.action && before.group_id === groupId
  return isSame ? 'same' : 'changed'
}

type Saving = { tx: Tx; customerId: string; nowMs: number; stored: Stored }

const addGroups = async ({ tx, customerId, nowMs, stored }: Saving, rows: readonly Row[]) => {
  const named = new Map(
    rows
      .filter(({ group }) => group !== '')
      .toReversed()
      .map(({ group }) => [group.toLowerCase(), group]),
  )
  const missing = [...named].filter(([key]) => !stored.groups.has(key))
  if (stored.groups.size + missing.length > limits.tagGroups)
    throw new Refusal(409, m.tooManyTagGroups(limits.tagGroups))
  for (const [key, name] of missing) {
    const group_id = newId(nowMs)
    const row = { group_id, name, active: true, created_at: new Date(nowMs) }
    await insertRow(tx, customerId, 'charger_tag_group', row).execute()
    stored.groups.set(key, group_id)
  }
  return missing.map(([, name]) => name)
}

const saveTags = async (saving: Saving, rows: readonly contract.ImportedRow[]) => {
  const { tx, customerId, nowMs, stored } = saving
  const changes = rows.filter(({ kind }) => kind === 'new' || kind === 'changed')
  const added = changes.filter(({ kind }) => kind === 'new').length
  if (stored.tags.size + added > limits.tags) throw new Refusal(409, m.tooManyTags(limits.tags))
  const groups = await addGroups(saving, changes)
  const tags = changes.map((row) => ({
    customer_id: customerId,
    tag_id: newId(nowMs),
    tag: row.tagID,
    name: row.name,
    active: row.action ?? true,
    group_id: row.group === '' ? null : (stored.groups.get(row.group.toLowerCase()) ?? null),
    created_at: new Date(nowMs),
  }))
  if (tags.length > 0)
    await sql`${insertRows('charger_tag', tags)} on conflict (customer_id, tag)
      do update set name = excluded.name, active = excluded.active, group_id = excluded.group_id`.execute(tx)
  rowChanged(tx, 'charger-tags', customerId)
  return { added, changed: changes.length - added, groups }
}

export const importTags = route(contract.importChargerTags, async (request) => {
  const { own, audit, body, nowMs } = request
  const upload = await readUpload(request, { most: limits.importedTags, columns: 12 })
  const read = rowsOf(upload.table.rows)
  if (read.length === 0) throw invalid({ file: m.tableEmpty })
  return own(async (tx, customerId) => {
    const stored = await readStored(tx, customerId)
    upload.signal.throwIfAborted()
    const rows = read.map((row) => ({ ...row, kind: kindOf(row, stored) }))
    const counts = { new: 0, changed: 0, same: 0, wrong: 0 }
    for (const { kind } of rows) counts[kind]++
    if (body.save) {
      const saved = await saveTags({ tx, customerId, nowMs, stored }, rows)
      await audit(tx, 'charger-tag.import', upload.name, { after: saved })
    }
    return { rows, counts, saved: body.save }
  })
})
