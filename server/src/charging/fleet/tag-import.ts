import * as contract from '@gridmast/contract/charging/charge-fleet.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { isReservedTag, normaliseTag } from '#charging/tags/tag-words.ts'
import { route } from '#context.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { goneOf } from '#platform/http/multipart.ts'
import { findColumns, readTable, truthOf } from '#platform/files/read-table.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, lockCustomer, selectRows } from '#platform/records/rows.ts'

/** Tags from a file: each row is judged by itself, and those without a mistake can be saved. */

const headings = {
  name: ['name', 'navn'],
  tagID: ['tag id', 'tagid', 'tag-id', 'ladebrik-id', 'ladebrik', 'tag', 'id'],
  group: ['group', 'gruppe', 'tag group', 'taggruppe'],
  action: ['active', 'aktiv'],
} as const
type Field = keyof typeof headings
const fields = ['name', 'tagID', 'group', 'action'] as const satisfies readonly Field[]

/** As of a name that is typed. */
const nameLength = 100

const columnsOf = (head: readonly string[]): Record<Field, number> => {
  const found = findColumns(head, headings)
  if (found.name < 0 || found.tagID < 0) throw invalid({ file: m.tagColumns })
  return found
}

type Row = Omit<contract.ImportedRow, 'kind'>

/** What is wrong with a row in itself; `seen` are the tags of the rows before it. */
const judged = (line: number, cells: Record<Field, string>, seen: Set<string>): Row => {
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
  const columns = columnsOf(head)
  const seen = new Set<string>()
  return table.flatMap((cells, i) => {
    const text = (field: Field) => cells[columns[field]] ?? ''
    const row = { name: text('name'), tagID: text('tagID'), group: text('group'), action: text('action') }
    return fields.every((field) => row[field] === '') ? [] : [judged(i + 2, row, seen)]
  })
}

/** Held for as long as the file is compared: two imports take turns. */
const readKnown = async (tx: Tx, customerId: string) => {
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
type Known = Awaited<ReturnType<typeof readKnown>>

const kindOf = (row: Row, { tags, groups }: Known): contract.ImportedRow['kind'] => {
  if (Object.keys(row.errors).length > 0) return 'wrong'
  const before = tags.get(row.tagID)
  if (!before) return 'new'
  const groupId = row.group === '' ? null : groups.get(row.group.toLowerCase())
  const isSame = before.name === row.name && before.active === row.action && before.group_id === groupId
  return isSame ? 'same' : 'changed'
}

type Saving = { tx: Tx; customerId: string; nowMs: number; known: Known }

const addGroups = async ({ tx, customerId, nowMs, known }: Saving, rows: readonly Row[]) => {
  // Of two spellings the first.
  const named = new Map(
    rows
      .filter(({ group }) => group !== '')
      .toReversed()
      .map(({ group }) => [group.toLowerCase(), group]),
  )
  const missing = [...named].filter(([key]) => !known.groups.has(key))
  if (known.groups.size + missing.length > limits.tagGroups)
    throw new Refusal(409, m.tooManyTagGroups(limits.tagGroups))
  for (const [key, name] of missing) {
    const group_id = newId(nowMs)
    await insertRow(tx, customerId, 'charger_tag_group', {
      group_id,
      name,
      active: true,
      created_at: new Date(nowMs),
    }).execute()
    known.groups.set(key, group_id)
  }
  return missing.map(([, name]) => name)
}

const saveTags = async (saving: Saving, rows: readonly contract.ImportedRow[]) => {
  const { tx, customerId, nowMs, known } = saving
  const wanted = rows.filter(({ kind }) => kind === 'new' || kind === 'changed')
  const added = wanted.filter(({ kind }) => kind === 'new').length
  if (known.tags.size + added > limits.tags) throw new Refusal(409, m.tooManyTags(limits.tags))
  const groups = await addGroups(saving, wanted)
  for (let i = 0; i < wanted.length; i += 500)
    await tx
      .insertInto('charger_tag')
      .values(
        wanted.slice(i, i + 500).map((row) => ({
          customer_id: customerId,
          tag_id: newId(nowMs),
          tag: row.tagID,
          name: row.name,
          active: row.action ?? true,
          group_id: row.group === '' ? null : (known.groups.get(row.group.toLowerCase()) ?? null),
          created_at: new Date(nowMs),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['customer_id', 'tag']).doUpdateSet((of) => ({
          name: of.ref('excluded.name'),
          active: of.ref('excluded.active'),
          group_id: of.ref('excluded.group_id'),
        })),
      )
      .execute()
  return { added, changed: wanted.length - added, groups }
}

export const importTags = route(
  contract.importChargerTags,
  async ({ app, viewer, own, audit, body, file, nowMs, reply }) => {
    if (!file) throw invalid({ file: m.required })
    const signal = goneOf(reply)
    const table = await readTable(viewer.customerId, file, { most: limits.importedTags, columns: 12 }, signal)
    const read = rowsOf(table.rows)
    if (read.length === 0) throw invalid({ file: m.tableEmpty })
    const result = await own(async (tx, customerId) => {
      const known = await readKnown(tx, customerId)
      signal.throwIfAborted()
      const rows = read.map((row) => ({ ...row, kind: kindOf(row, known) }))
      const counts = { new: 0, changed: 0, same: 0, wrong: 0 }
      for (const { kind } of rows) counts[kind]++
      if (body.save) {
        const saved = await saveTags({ tx, customerId, nowMs, known }, rows)
        await audit(tx, 'charger-tag.import', file.name.slice(0, 200), { after: saved })
      }
      return { rows, counts, saved: body.save }
    })
    // Chargers keep lists of tags.
    if (body.save) app.news.changed('charger-tags', viewer.customerId)
    return result
  },
)
