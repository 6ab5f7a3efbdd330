import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import * as contract from '@gridmast/contract/trading/bid-files.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, localDateOf } from '@gridmast/contract/time.ts'
import { columnsFor } from './operator-file.ts'
import { route } from '#context.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { readTable } from '#platform/files/read-table.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Own } from '#platform/http/route.ts'
import type { Cell } from '#platform/files/table-file.ts'
import { rowPages } from '#platform/records/row-pages.ts'
import { findPublished } from '#trading/requests/basis-queries.ts'
import type { Marginals } from '#trading/requests/earnings.ts'
import { type Waiting, waitingOf } from '#trading/requests/import.ts'
import { headings, missingOf, readLines, type ResultLine } from './result-columns.ts'
import { decideBid, type DecidedBid, type Decision, findBids, indexBids, toRow } from './result-match.ts'
import {
  findBidsBetween,
  findFiles,
  findHistory,
  findLastColumns,
  findSameFile,
  getFile,
  saveDecisions,
  tellAgain,
} from './result-queries.ts'

/** The grid operator's result file. Rules and a worked example: result-file.md. */

type Lines = ReturnType<typeof readLines>
type Days = { first: string; last: string }

/** The local days that a file speaks of, with one on either side for periods that a day of delivery does not end at. */
const daysOf = (lines: Lines): Days | null => {
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
/** The least and the most: a list of 100,000 cannot be spread. */
const bounds = (values: readonly number[]): number[] =>
  values.length === 0 ? [0] : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]

type Judged = { decisions: Decision[]; rows: contract.ResultRow[] }

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

/** Each row beside the bids; a bid that two rows name is decided by neither but the first. */
const judge = async (
  lines: Lines,
  columns: contract.ResultColumns,
  { bids, prices }: { bids: readonly DecidedBid[]; prices: Map<string | null, Marginals> },
  { signal, progress }: Waiting,
): Promise<Judged> => {
  const known = indexBids(bids)
  const taken = new Set<DecidedBid>()
  const judged: Judged = { decisions: [], rows: [] }
  for (const [i, { line, read, wrong, texts }] of lines.entries()) {
    if (i % linesPerTurn === 0) {
      progress(i, lines.length)
      await nextTurn()
      signal.throwIfAborted()
    }
    const refuse = (field: contract.ResultField, found: string, expected: string) => {
      const mistake = { row: line, column: columns[field] ?? '', cell: null, found: found.slice(0, 60), expected }
      judged.rows.push({ ...plainRow(line, texts, 'wrong'), mistake })
    }
    if (wrong) refuse(wrong.field, wrong.found, wrong.expected)
    if (!read) continue
    const [bid, another] = findBids(known, read)
    if (!bid) judged.rows.push(plainRow(line, texts, 'no-bid'))
    else if (another) refuse('instance', read.instance ?? '', m.severalBids)
    else if (taken.has(bid)) refuse('instance', bid.instance_name, m.bidTwice)
    else {
      taken.add(bid)
      const decision = decideBid(bid, read, prices.get(bid.area) ?? unpriced)
      if (typeof decision === 'string') refuse('wonMw', String(read.won), decision)
      else {
        judged.decisions.push(decision)
        judged.rows.push(toRow(line, decision))
      }
    }
  }
  return judged
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

const toTaken = (row: { name: string; taken_at: Date; taken_by: string }) => ({
  name: row.name,
  takenAt: row.taken_at.toISOString(),
  takenBy: row.taken_by,
})

const take = route(contract.takeBidResults, async ({ app, own, audit, viewer, nowMs, body, file, reply }) => {
  if (!file) throw invalid({ file: m.required })
  const waiting = waitingOf({ app, viewer, reply }, body.watch)
  const wanted = { most: limits.bidResultRows, columns: 60 }
  const { rows: table, delimiter } = await readTable(viewer.customerId, file, wanted, waiting.signal)
  const [names = []] = table
  if (table.length < 2) throw invalid({ file: m.tableEmpty })
  const sha256 = createHash('sha256').update(file.bytes).digest()
  for (let tries = 0; tries < 3; tries++) {
    const [same, last] = await own(async (tx, customerId) => [
      await findSameFile(tx, customerId, sha256),
      await findLastColumns(tx, customerId),
    ])
    const columns = columnsFor(names, headings, { given: body.columns, last })
    const unread = { names, columns, missing: null, counts: noCounts, rows: [], days: null, saved: false }
    if (same) return { ...unread, before: toTaken(same) }
    const missing = missingOf(columns)
    if (missing) return { ...unread, before: null, missing }
    const lines = readLines(table, columns, delimiter)
    const days = daysOf(lines)
    const around = days && { first: addDays(days.first, -1), last: addDays(days.last, 1) }
    const state = around ? await own((tx, customerId) => readState(tx, customerId, around, false)) : null
    const { decisions, rows } = await judge(lines, columns, state ?? { bids: [], prices: new Map() }, waiting)
    const counts = countsOf(rows)
    const sorted = rows.toSorted((a, b) => placeOf(a) - placeOf(b) || a.line - b.line)
    const preview = { ...unread, before: null, counts, rows: sorted.slice(0, limits.listedMistakes), days }
    if (decisions.length === 0) {
      if (counts.wrong === 0 || body.save) throw invalid({ file: m.noBidInFile })
      return preview
    }
    if (!body.save) return preview
    if (body.contradictions !== counts.contradictions) throw new Refusal(409, m.contradictionsChanged)
    const saved = await own(async (tx, customerId) => {
      const now = around && (await findBidsBetween(tx, customerId, around, true))
      // Where something was decided or taken since, what was judged is judged again.
      if (!isDeepStrictEqual(now, state?.bids) || (await findSameFile(tx, customerId, sha256))) return false
      const taken = {
        customer_id: customerId,
        file_id: newId(nowMs),
        name: file.name.slice(0, 200),
        sha256,
        taken_at: new Date(nowMs),
        taken_by: viewer.email,
        columns,
        contradictions: counts.contradictions,
      }
      await saveDecisions(tx, taken, decisions)
      const turned = decisions.flatMap(({ isOutcomeChanged, bid }) => (isOutcomeChanged ? [bid] : []))
      for (const bids of Map.groupBy(turned, ({ market, auction, day }) => `${market} ${auction} ${day}`).values())
        if (bids[0]) await tellAgain(tx, customerId, bids[0], [...new Set(bids.map((bid) => bid.instance_id))])
      const after = { sha256: sha256.toString('hex'), bids: decisions.length, ...counts, days }
      await audit(tx, 'bid-result.take', taken.name, { after })
      return true
    })
    if (saved) return { ...preview, saved }
  }
  throw new Refusal(503, m.unavailable, { retryAfterS: 5 })
})

const find = route(contract.findBidResultFiles, ({ own, query }) =>
  own(async (tx, customerId) => {
    const { rows, totalCount } = await findFiles(tx, customerId, query)
    return {
      files: rows.map((row) => ({
        _id: row.file_id,
        ...toTaken(row),
        bids: row.bids,
        changed: row.changed,
        contradictions: row.contradictions,
      })),
      totalCount,
    }
  }),
)

const number = (text: string | null) => (text === null ? null : Number(text))

type HistoryRow = Awaited<ReturnType<typeof findHistory>>[number]

const historyRows = async function* (own: Own['own'], fileId: string): AsyncGenerator<Cell[]> {
  const rows = rowPages<HistoryRow>(({ limit, skip }) =>
    own((tx, customerId) => findHistory(tx, customerId, fileId, limit, skip)),
  )
  for await (const row of rows)
    yield [
      row.instance_name,
      row.product,
      row.auction,
      row.starts_at,
      number(row.won_mw) ?? 0,
      number(row.marginal_price_eur),
      row.won_before === null ? null : (number(row.won_mw_before) ?? 0),
      number(row.marginal_price_eur_before),
      row.decided_by_before,
    ]
}

const history = route(contract.bidResultHistory, async ({ own, params }) => {
  const file = await own((tx, customerId) => getFile(tx, customerId, params.id))
  return {
    file: {
      fileName: `Results ${file.name.replace(/\.\w+$/, '')}`,
      sheet: 'Results',
      about: { File: file.name, 'Taken by': file.taken_by },
      columns: [
        { header: 'Instance' },
        { header: 'Product' },
        { header: 'Auction' },
        { header: 'Start', holds: 'instants' as const },
        ...['Won (MW)', 'Marginal price (EUR/MW)', 'Before: won (MW)', 'Before: marginal price (EUR/MW)'].map(
          (header) => ({ header }),
        ),
        { header: 'Before: decided by' },
      ],
      rows: historyRows(own, params.id),
    },
  }
})

export const bidResults = [take, find, history]
