import { createHash } from 'node:crypto'
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
import { columnsFor } from '#trading/results/operator-file.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { goneOf } from '#platform/http/multipart.ts'
import { openProgress, type Progress } from '#platform/http/progress.ts'
import { readTable } from '#platform/files/read-table.ts'
import type { Own } from '#platform/http/route.ts'
import { compareDay, type Compares, sumLines } from './compare.ts'
import { findDaySettlements, findProducts } from './day-queries.ts'
import { addStatement, type DayLine, findInstances, findLastColumns, findSameStatement } from './queries.ts'
import { findHead, headings, missingOf, type ReadRow, readStatement } from './statement-file.ts'

/** The operator's statement is read and compared, shown, and then kept. Rules: compare.md. */

type Known = { instances: ReadonlyMap<string, string | null>; products: ReadonlyMap<string, string> }
type Placed = ReadRow & { instanceId: string; type: string }

/** Instances by id and name, in small letters; null where a name is that of several. */
const readKnown = async (own: Own['own'], rows: readonly ReadRow[]): Promise<Known & { names: Map<string, string> }> =>
  own(async (tx, customerId) => {
    const found = await findInstances(tx, customerId)
    const instances = new Map<string, string | null>(found.map(({ instance_id }) => [instance_id, instance_id]))
    for (const { name, instance_id } of found) {
      const key = name.trim().toLowerCase()
      instances.set(key, instances.has(key) ? null : instance_id)
    }
    const span = spanOf(rows)
    const products = span ? await findProducts(tx, customerId, span) : []
    return {
      instances,
      products: new Map(products.map((product) => [product.toLowerCase(), product])),
      names: new Map(found.map(({ instance_id, name }) => [instance_id, name])),
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

/** Rows of the company; `foreign` are those of nobody it knows. */
const placed = (rows: readonly ReadRow[], { instances, products }: Known) => {
  const mine: Placed[] = []
  const ambiguous: ReadRow[] = []
  let foreign = 0
  for (const row of rows) {
    const instanceId = instances.get(row.instance.trim().toLowerCase())
    if (instanceId) mine.push({ ...row, instanceId, type: products.get(row.product.toLowerCase()) ?? row.product })
    else if (instanceId === null) ambiguous.push(row)
    else foreign++
  }
  return { mine, ambiguous, foreign }
}

type Waiting = { signal: AbortSignal; progress: Progress }

/** Day by day: a month of many instances is large. */
const compareAll = async (
  own: Own['own'],
  rows: readonly Placed[],
  compares: Compares,
  { signal, progress }: Waiting,
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
    const settled = new Map(settlements.map((one) => [`${one.instance_id} ${one.product}`, one]))
    for (const key of new Set([...rowsOf.keys(), ...settled.keys()])) {
      const own_ = rowsOf.get(key) ?? []
      const found = settled.get(key)
      const [instance_id, product] = [found?.instance_id ?? own_[0]?.instanceId, found?.product ?? own_[0]?.type]
      if (instance_id === undefined || product === undefined) continue
      for (const line of compareDay(own_, found?.settlement ?? null, compares)) {
        if (line.row === null && ++leftOut > limits.statementRows)
          throw invalid({ file: m.statementLeavesOut(limits.statementRows) })
        lines.push({ ...line, instance_id, day, product })
      }
    }
  }
  return lines
}

const amount = ({ differenceEur }: DayLine) => (differenceEur === null ? -1 : Math.abs(Number(differenceEur)))

const toLine = (line: DayLine, name: string, compares: Compares): ComparedLine => ({
  kind: line.kind,
  row: line.row,
  instanceId: line.instance_id,
  instance: name,
  date: line.day,
  type: line.product,
  auction: line.auction,
  compares,
  ours: line.ours,
  theirs: line.theirs,
  start: line.startMs === null ? null : new Date(line.startMs).toISOString(),
  oursEur: line.oursEur,
  theirsEur: line.theirsEur,
  differenceEur: line.differenceEur,
  parts: line.parts,
  version: line.version,
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

export const take = route(takeStatement, async ({ app, own, audit, viewer, nowMs, body, file, reply }) => {
  if (!file) throw invalid({ file: m.required })
  const signal = goneOf(reply)
  const table = await readTable(viewer.customerId, file, { most: limits.statementRows, columns: 60 }, signal)
  const head = findHead(table, body.columns)
  if (head.rows.length === 0) throw invalid({ file: m.tableEmpty })
  const sha256 = createHash('sha256').update(file.bytes).digest()
  const [same, last] = await own(async (tx, customerId) => [
    await findSameStatement(tx, customerId, sha256),
    await findLastColumns(tx, customerId),
  ])
  const columns = columnsFor(head.names, headings, { given: body.columns, last })
  const missing = same ? null : missingOf(head, columns)
  if (same) return { ...unread(head.names, columns, null), before: toTaken(same) }
  if (missing) return unread(head.names, columns, missing)
  const { rows, mistakes } = await readStatement(head, columns)
  const known = await readKnown(own, rows)
  const { mine, ambiguous, foreign } = placed(rows, known)
  for (const { row, instance } of ambiguous)
    mistakes.push({
      row,
      column: columns.instance ?? '',
      cell: null,
      found: instance.slice(0, 60),
      expected: m.severalInstances,
    })
  const days = spanOf(mine)
  if (!days && (mistakes.length === 0 || body.save))
    throw invalid({ file: foreign === 0 && mistakes.length > 0 ? m.noRowUnderstood : m.noInstanceInFile })
  if (days && daysBetween(days.first, days.last) >= limits.statementDays)
    throw invalid({ file: m.statementSpan(limits.statementDays) })
  const compares: Compares = columns.customer === undefined ? 'gross' : 'customer'
  const lines = await compareAll(own, mine, compares, {
    signal,
    progress: openProgress(app.live, viewer.customerId, body.watch),
  })
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
      .toSorted((a, b) => amount(b) - amount(a) || a.day.localeCompare(b.day))
      .slice(0, limits.listedMistakes)
      .map((line) => toLine(line, known.names.get(line.instance_id) ?? '', compares)),
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
      name: file.name.slice(0, 200),
      sha256,
      columns,
      taken_at: new Date(nowMs),
      taken_by: viewer.email,
      first_day: days.first,
      last_day: days.last,
      products: [...new Set(mine.map(({ type }) => type))],
      compares,
      left_out: leftOut,
    }
    await addStatement(
      tx,
      statement,
      lines.map((line) => ({ ...line, lineId: newId(nowMs) })),
    )
    const after = { days, ...counts, differenceEur: preview.sums.differenceEur, sha256: sha256.toString('hex') }
    await audit(tx, 'reconciliation.take', statement.name, { after })
    return null
  })
  return before ? { ...preview, before: toTaken(before) } : { ...preview, savedAs: statementId }
})

type Taken = { statement_id: string; name: string; taken_at: Date; taken_by: string }
export const toTaken = ({ statement_id, name, taken_at, taken_by }: Taken) => ({
  _id: statement_id,
  name,
  takenAt: taken_at.toISOString(),
  takenBy: taken_by,
})
