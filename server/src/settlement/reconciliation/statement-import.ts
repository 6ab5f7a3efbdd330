import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import {
  type ComparedLine,
  type StatementColumns,
  takeStatement,
} from '@gridmast/contract/settlement/reconciliation.ts'
import { datesBetween, daysBetween, type LocalDate } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { columnsFor, mistakeIn, type ImportRun, readUpload } from '#platform/files/import-table.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Own } from '#platform/http/route.ts'
import type { RowOf } from '#platform/records/rows.ts'
import { compareDay, type Compares, sumLines } from './compare.ts'
import { findDaySettlements, findProducts } from './day-queries.ts'
import { addStatement, type DayLine, findInstances, findLastColumns, findSameStatement } from './queries.ts'
import { findHead, headings, missingOf, type ReadRow, readStatement } from './statement-file.ts'

/** Ids by lower-case name or id, null for a name of several instances; products by lower-case name. */
type Names = { instances: ReadonlyMap<string, string | null>; products: ReadonlyMap<string, string> }
type MatchedRow = ReadRow & { instanceId: string; type: string }

const readNames = async (own: Own['own'], rows: readonly ReadRow[]): Promise<Names & { names: Map<string, string> }> =>
  own(async (tx, customerId) => {
    const storedInstances = await findInstances(tx, customerId)
    const instances = new Map<string, string | null>(
      storedInstances.map(({ instance_id }) => [instance_id, instance_id]),
    )
    for (const { name, instance_id } of storedInstances) {
      const key = name.trim().toLowerCase()
      instances.set(key, instances.has(key) ? null : instance_id)
    }
    const span = spanOf(rows)
    const products = span ? await findProducts(tx, customerId, span) : []
    return {
      instances,
      products: new Map(products.map((product) => [product.toLowerCase(), product])),
      names: new Map(storedInstances.map(({ instance_id, name }) => [instance_id, name])),
    }
  })

const spanOf = (rows: readonly { day: LocalDate }[]) => {
  const [first] = rows
  if (!first) return null
  return rows.reduce(
    (span, { day }) => ({ first: day < span.first ? day : span.first, last: day > span.last ? day : span.last }),
    { first: first.day, last: first.day },
  )
}

const matchRows = (rows: readonly ReadRow[], { instances, products }: Names) => {
  const matched: MatchedRow[] = []
  const ambiguous: ReadRow[] = []
  let foreign = 0
  for (const row of rows) {
    const instanceId = instances.get(row.instance.trim().toLowerCase())
    if (instanceId) matched.push({ ...row, instanceId, type: products.get(row.product.toLowerCase()) ?? row.product })
    else if (instanceId === null) ambiguous.push(row)
    else foreign++
  }
  return { matched, ambiguous, foreign }
}

const compareAll = async (
  own: Own['own'],
  rows: readonly MatchedRow[],
  compares: Compares,
  { signal, progress }: ImportRun,
) => {
  const lines: DayLine[] = []
  const span = spanOf(rows)
  if (!span) return lines
  const products = [...new Set(rows.map(({ type }) => type))]
  const byDay = Map.groupBy(rows, ({ day }) => day)
  let [compared, leftOut] = [0, 0]
  for (const day of datesBetween(span.first, span.last)) {
    signal.throwIfAborted()
    await nextTurn()
    progress(compared, rows.length)
    compared += byDay.get(day)?.length ?? 0
    const settlements = await own((tx, customerId) => findDaySettlements(tx, customerId, day, products))
    const rowsOf = Map.groupBy(byDay.get(day) ?? [], ({ instanceId, type }) => `${instanceId} ${type}`)
    const settlementOf = new Map(settlements.map((one) => [`${one.instance_id} ${one.product}`, one]))
    for (const key of new Set([...rowsOf.keys(), ...settlementOf.keys()])) {
      const statementRows = rowsOf.get(key) ?? []
      const settlement = settlementOf.get(key) ?? null
      const instance_id = settlement?.instance_id ?? statementRows[0]?.instanceId
      const product = settlement?.product ?? statementRows[0]?.type
      if (instance_id === undefined || product === undefined) continue
      for (const line of compareDay(statementRows, settlement, compares)) {
        if (line.row === null && ++leftOut > limits.statementRows)
          throw invalid({ file: m.statementLeavesOut(limits.statementRows) })
        lines.push({ ...line, instance_id, day, product })
      }
    }
  }
  return lines
}

const sizeOf = ({ differenceEur }: DayLine) => (differenceEur === null ? -1 : Math.abs(Number(differenceEur)))

const toLine = (
  { instance_id, day, product, startMs, period: _, ...line }: DayLine,
  instance: string,
  compares: Compares,
): ComparedLine => ({
  ...line,
  instanceId: instance_id,
  instance,
  date: day,
  type: product,
  compares,
  start: startMs === null ? null : new Date(startMs).toISOString(),
})

const countKinds = (lines: readonly DayLine[]) => {
  const counts = { agrees: 0, differs: 0, open: 0, 'not-settled': 0, 'not-in-statement': 0 }
  for (const { kind } of lines) counts[kind]++
  return counts
}

const unread = (names: string[], columns: StatementColumns, missing: string | null) => ({
  before: null,
  names,
  columns,
  missing,
  sums: sumLines([]),
  mistakes: [],
  lines: [],
  days: null,
  savedAs: null,
  counts: { rows: 0, wrong: 0, foreign: 0, ...countKinds([]) },
})

export const importStatement = route(takeStatement, async (request) => {
  const { own, audit, viewer, nowMs, body } = request
  const upload = await readUpload(request, { most: limits.statementRows, columns: 60 })
  const { table, name, sha256 } = upload
  const head = findHead(table, body.columns)
  if (head.rows.length === 0) throw invalid({ file: m.tableEmpty })
  const [same, last] = await own(async (tx, customerId) => [
    await findSameStatement(tx, customerId, sha256),
    await findLastColumns(tx, customerId),
  ])
  const columns = columnsFor(head.names, headings, { given: body.columns, last })
  const missing = same ? null : missingOf(head, columns)
  if (same) return { ...unread(head.names, columns, null), before: toImport(same) }
  if (missing) return unread(head.names, columns, missing)
  const { rows, mistakes } = await readStatement(head, columns)
  const stored = await readNames(own, rows)
  const { matched, ambiguous, foreign } = matchRows(rows, stored)
  for (const { row, instance } of ambiguous)
    mistakes.push(mistakeIn(columns.instance ?? '', row, { found: instance, expected: m.severalInstances }))
  const days = spanOf(matched)
  if (!days && (mistakes.length === 0 || body.save))
    throw invalid({ file: foreign === 0 && mistakes.length > 0 ? m.noRowUnderstood : m.noInstanceInFile })
  if (days && daysBetween(days.first, days.last) >= limits.statementDays)
    throw invalid({ file: m.statementSpan(limits.statementDays) })
  const compares: Compares = columns.customer === undefined ? 'gross' : 'customer'
  const lines = await compareAll(own, matched, compares, upload)
  const counts = {
    rows: rows.length + mistakes.length - ambiguous.length,
    wrong: mistakes.length,
    foreign,
    ...countKinds(lines),
  }
  const preview = {
    ...unread(head.names, columns, null),
    counts,
    days,
    sums: sumLines(lines),
    mistakes: mistakes.slice(0, limits.listedMistakes),
    lines: lines
      .toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.day.localeCompare(b.day))
      .slice(0, limits.listedMistakes)
      .map((line) => toLine(line, stored.names.get(line.instance_id) ?? '', compares)),
  }
  if (!body.save || !days) return preview
  const leftOut = mistakes.length + foreign
  if (body.leftOut !== leftOut) throw new Refusal(409, m.leftOutChanged)
  const statementId = newId(nowMs)
  const before = await own(async (tx, customerId) => {
    const meanwhile = await findSameStatement(tx, customerId, sha256)
    if (meanwhile) return meanwhile
    const statement = {
      customer_id: customerId,
      statement_id: statementId,
      name,
      sha256,
      columns,
      taken_at: new Date(nowMs),
      taken_by: viewer.email,
      first_day: days.first,
      last_day: days.last,
      products: [...new Set(matched.map(({ type }) => type))],
      compares,
      left_out: leftOut,
    }
    await addStatement(
      tx,
      statement,
      lines.map((line) => ({ ...line, lineId: newId(nowMs) })),
    )
    const after = { days, ...counts, differenceEur: preview.sums.differenceEur, sha256: sha256.toString('hex') }
    await audit(tx, 'reconciliation.take', name, { after })
    return null
  })
  return before ? { ...preview, before: toImport(before) } : { ...preview, savedAs: statementId }
})

export const toImport = ({
  statement_id,
  name,
  taken_at,
  taken_by,
}: RowOf<'operator_statement', 'statement_id' | 'name' | 'taken_at' | 'taken_by'>) => ({
  _id: statement_id,
  name,
  takenAt: taken_at.toISOString(),
  takenBy: taken_by,
})
