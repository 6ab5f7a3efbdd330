import { isDeepStrictEqual } from 'node:util'
import * as contract from '@gridmast/contract/trading/bid-files.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, localDateOf } from '@gridmast/contract/time.ts'
import {
  columnsFor,
  mistakeIn,
  type ImportRun,
  inTurns,
  readUpload,
  untilUnchanged,
} from '#platform/files/import-table.ts'
import { ownRoute, route } from '#context.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, skippedPages } from '#platform/files/table-file.ts'
import type { Marginals } from '#trading/requests/earnings.ts'
import { findPublished } from '#trading/requests/slot-history.ts'
import {
  type BidOfInstance,
  decideBid,
  type Decision,
  findBids,
  headings,
  indexBids,
  missingOf,
  type ReadLine,
  readLines,
  type ResultLine,
  toRow,
} from './result-lines.ts'
import {
  findBidsBetween,
  findFiles,
  findHistory,
  findLastColumns,
  findSameFile,
  getFile,
  type HistoryRow,
  markCorrected,
  saveDecisions,
} from './result-queries.ts'

/** The grid operator's result file. Rules and a worked example: result-file.md. */

type Days = { first: string; last: string }

const daysOf = (lines: readonly ReadLine[]): Days | null => {
  const days = lines
    .flatMap(({ read }) => (read?.daySlot ? [read.daySlot.day] : (read?.starts ?? []).map(localDateOf)))
    .toSorted()
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? { first, last } : null
}

const readState = async (tx: Tx, customerId: string, days: Days, lock: boolean) => {
  const bids = await findBidsBetween(tx, customerId, days, lock)
  const areas = [...new Set(bids.map(({ area }) => area))]
  const products = [...new Set(bids.map(({ product }) => product))]
  const starts = bids.map(({ starts_at }) => starts_at.getTime())
  const span = { fromMs: Math.min(...bounds(starts)), toMs: Math.max(...bounds(starts)) + 1 }
  const prices = new Map<string | null, Marginals>()
  for (const area of areas) prices.set(area, (await findPublished(tx, area, products, span)).priceAt)
  return { bids, prices }
}
/** 100,000 arguments exceed the stack of Math.min. */
const bounds = (values: readonly number[]): number[] =>
  values.length === 0 ? [0] : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]

type Matched = { decisions: Decision[]; rows: contract.ResultRow[] }

const plainRow = (line: number, texts: ResultLine['texts'], kind: 'no-bid' | 'wrong'): contract.ResultRow => ({
  line,
  kind,
  mistake: null,
  ...texts,
  start: null,
  bid: null,
  wonMw: null,
  marginalPriceEur: null,
  before: null,
  publishedEur: null,
  contradiction: null,
})

const linesPerTurn = 200
const unpriced: Marginals = () => null

const matchLines = async (
  lines: readonly ReadLine[],
  columns: contract.ResultColumns,
  { bids, prices }: { bids: readonly BidOfInstance[]; prices: Map<string | null, Marginals> },
  run: ImportRun,
): Promise<Matched> => {
  const index = indexBids(bids)
  const decided = new Set<BidOfInstance>()
  const matched: Matched = { decisions: [], rows: [] }
  for await (const { line, read, mistake, texts } of inTurns(lines, linesPerTurn, run)) {
    const refuse = (field: contract.ResultField, found: string, expected: string) => {
      const inColumn = mistakeIn(columns[field] ?? '', line, { found, expected })
      matched.rows.push({ ...plainRow(line, texts, 'wrong'), mistake: inColumn })
    }
    if (mistake) {
      refuse(mistake.field, mistake.found, mistake.expected)
      continue
    }
    const [bid, another] = findBids(index, read)
    if (!bid) matched.rows.push(plainRow(line, texts, 'no-bid'))
    else if (another) refuse('instance', read.instance ?? '', m.severalBids)
    else if (decided.has(bid)) refuse('instance', bid.instance_name, m.bidTwice)
    else {
      decided.add(bid)
      const decision = decideBid(bid, read, prices.get(bid.area) ?? unpriced)
      if (typeof decision === 'string') refuse('wonMw', String(read.won), decision)
      else {
        matched.decisions.push(decision)
        matched.rows.push(toRow(line, decision))
      }
    }
  }
  return matched
}

const order: readonly contract.ResultRow['kind'][] = ['wrong', 'no-bid', 'changed', 'first', 'confirmed', 'same']
const placeOf = ({ kind, contradiction }: contract.ResultRow) =>
  contradiction !== null && kind !== 'same' ? -1 : order.indexOf(kind)

const countsOf = (rows: readonly contract.ResultRow[]) => {
  const counts = { rows: rows.length, first: 0, changed: 0, confirmed: 0, same: 0, 'no-bid': 0, wrong: 0 }
  for (const { kind } of rows) counts[kind]++
  const contradictions = rows.filter(({ kind, contradiction }) => contradiction !== null && kind !== 'same').length
  return { ...counts, contradictions }
}
const noCounts = countsOf([])

const toImport = (row: { name: string; taken_at: Date; taken_by: string }) => ({
  name: row.name,
  takenAt: row.taken_at.toISOString(),
  takenBy: row.taken_by,
})

const importResults = route(contract.takeBidResults, async (request) => {
  const { own, audit, viewer, nowMs, body } = request
  const upload = await readUpload(request, { most: limits.bidResultRows, columns: 60 })
  const { table, name, sha256 } = upload
  const [names = []] = table.rows
  if (table.rows.length < 2) throw invalid({ file: m.tableEmpty })
  return untilUnchanged(async () => {
    const [same, last] = await own(async (tx, customerId) => [
      await findSameFile(tx, customerId, sha256),
      await findLastColumns(tx, customerId),
    ])
    const columns = columnsFor(names, headings, { given: body.columns, last })
    const unread = { names, columns, before: null, missing: null, counts: noCounts, rows: [], days: null, saved: false }
    if (same) return { ...unread, before: toImport(same) }
    const missing = missingOf(columns)
    if (missing) return { ...unread, missing }
    const lines = readLines(table.rows, columns, table.delimiter)
    const days = daysOf(lines)
    const around = days && { first: addDays(days.first, -1), last: addDays(days.last, 1) }
    const state = around ? await own((tx, customerId) => readState(tx, customerId, around, false)) : null
    const { decisions, rows } = await matchLines(lines, columns, state ?? { bids: [], prices: new Map() }, upload)
    const counts = countsOf(rows)
    const sorted = rows.toSorted((a, b) => placeOf(a) - placeOf(b) || a.line - b.line)
    const preview = { ...unread, counts, rows: sorted.slice(0, limits.listedMistakes), days }
    if (decisions.length === 0) {
      if (counts.wrong === 0 || body.save) throw invalid({ file: m.noBidInFile })
      return preview
    }
    if (!body.save) return preview
    if (body.contradictions !== counts.contradictions) throw new Refusal(409, m.contradictionsChanged)
    return own(async (tx, customerId) => {
      const now = around && (await findBidsBetween(tx, customerId, around, true))
      if (!isDeepStrictEqual(now, state?.bids) || (await findSameFile(tx, customerId, sha256))) return null
      const file = {
        customer_id: customerId,
        file_id: newId(nowMs),
        name,
        sha256,
        taken_at: new Date(nowMs),
        taken_by: viewer.email,
        columns,
        contradictions: counts.contradictions,
      }
      await saveDecisions(tx, file, decisions)
      const changed = decisions.flatMap(({ isOutcomeChanged, bid }) => (isOutcomeChanged ? [bid] : []))
      for (const bids of Map.groupBy(changed, ({ market, auction, day }) => `${market} ${auction} ${day}`).values())
        if (bids[0]) await markCorrected(tx, customerId, bids[0], [...new Set(bids.map((bid) => bid.instance_id))])
      const after = { sha256: sha256.toString('hex'), bids: decisions.length, ...counts, days }
      await audit(tx, 'bid-result.take', name, { after })
      return { ...preview, saved: true }
    })
  })
})

const find = ownRoute(contract.findBidResultFiles, async (tx, customerId, { query }) => {
  const { rows, totalCount } = await findFiles(tx, customerId, query)
  return {
    files: rows.map((row) => ({
      _id: row.file_id,
      ...toImport(row),
      bids: row.bids,
      changed: row.changed,
      contradictions: row.contradictions,
    })),
    totalCount,
  }
})

const historyColumns: Column<HistoryRow>[] = [
  column.text('Instance', (row) => row.instance_name),
  column.text('Product', (row) => row.product),
  column.text('Auction', (row) => row.auction),
  column.instant('Start', (row) => row.starts_at),
  column.decimal('Won (MW)', (row) => row.won_mw ?? 0),
  column.decimal('Marginal price (EUR/MW)', (row) => row.marginal_price_eur),
  column.decimal('Before: won (MW)', (row) => (row.won_before === null ? null : (row.won_mw_before ?? 0))),
  column.decimal('Before: marginal price (EUR/MW)', (row) => row.marginal_price_eur_before),
  column.text('Before: decided by', (row) => row.decided_by_before),
]

const history = route(contract.bidResultHistory, async ({ own, params }) => {
  const file = await own((tx, customerId) => getFile(tx, customerId, params.id))
  const rows = skippedPages<HistoryRow>(({ limit, skip }) =>
    own((tx, customerId) => findHistory(tx, customerId, params.id, limit, skip)),
  )
  const name = {
    fileName: `Results ${file.name.replace(/\.\w+$/, '')}`,
    sheet: 'Results',
    about: { File: file.name, 'Taken by': file.taken_by },
  }
  return { file: tableFile(name, historyColumns, rows) }
})

export const bidResults = [importResults, find, history]
