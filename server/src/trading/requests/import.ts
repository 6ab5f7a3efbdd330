import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type ImportedRequest, importBidRequests, type Mistake } from '@gridmast/contract/trading/bid-files.ts'
import type { BidRequestForm } from '@gridmast/contract/trading/bid-requests.ts'
import { firstOpenDay } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { localDate } from '@gridmast/contract/time.ts'
import type { Insertable } from 'kysely'
import type { FastifyReply } from 'fastify'
import type { Viewer } from '#access/viewer.ts'
import { dateOf } from '#trading/results/operator-file.ts'
import { type App, route } from '#context.ts'
import type { BidRequest } from '#platform/records/db-types.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { insertRows } from '#platform/records/insert-rows.ts'
import { goneOf } from '#platform/http/multipart.ts'
import { openProgress, type Progress } from '#platform/http/progress.ts'
import { readTable } from '#platform/files/read-table.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { findMarketMeans } from './basis-queries.ts'
import { type MarketMeans, toAsked, warningsAbove } from './beside.ts'
import { askedOf, countPending, findRequestsBetween } from './queries.ts'
import { findAllGates } from '#trading/placing/placed.ts'
import {
  type Columns,
  missingColumns,
  mistakeAt,
  mistakesAt,
  readRequests,
  type RequestRow,
  toForm,
} from './request-file.ts'
import { columnsOf } from './asking.ts'
import { openSlotBook, type SlotBook } from './slot-book.ts'

/** What a file may name, and what stands there already: with `lock` it stays so until the transaction ends, as for a request of the form. */
const readState = async (tx: Tx, customerId: string, rows: readonly RequestRow[], lock: boolean) => {
  const { bidding_markets } = await selectRows(tx, customerId, 'customer')
    .select('bidding_markets')
    .executeTakeFirstOrThrow()
  const instances = await selectRows(tx, customerId, 'instance', { enabled: true })
    .select(['instance_id', 'name', 'licence_id', 'markets', 'flexible_kw', 'area'])
    .orderBy('instance_id')
    .$if(lock, (query) => query.forUpdate())
    .execute()
  const licences = await selectRows(tx, customerId, 'licence')
    .select(['licence_id', 'name', 'enabled'])
    .orderBy('licence_id')
    .execute()
  const dates = rows.flatMap(({ fields }) => [dateOf(fields.startDate), dateOf(fields.endDate)])
  const days = dates.filter((date) => localDate.safeParse(date).success).toSorted()
  const [startDate, endDate] = [days[0], days.at(-1)]
  return {
    markets: bidding_markets,
    instances,
    licences,
    gates: await findAllGates(tx),
    pending: await countPending(tx, customerId),
    requests: startDate && endDate ? await findRequestsBetween(tx, customerId, { startDate, endDate }) : [],
  }
}
type State = Awaited<ReturnType<typeof readState>>

const byName = <T extends { name: string }>(rows: readonly T[]) =>
  Map.groupBy(rows, ({ name }) => name.trim().toLowerCase())

/** Mean prices by market and area, of the instances that the file may name. */
const readMeans = async (tx: Tx, { markets, instances }: State, rows: readonly RequestRow[], nowMs: number) => {
  const named = new Set(rows.map(({ fields }) => fields.market))
  const areas = new Set(instances.map(({ area }) => area))
  const means = new Map<string, MarketMeans>()
  for (const market of markets.filter((one) => named.has(one)))
    for (const area of areas) means.set(`${market}/${area ?? ''}`, await findMarketMeans(tx, area, market, nowMs))
  return means
}

const toKnown = ({ markets, instances, licences, gates }: State, means: Map<string, MarketMeans>) => ({
  means,
  markets: new Set(markets),
  instances: byName(instances),
  instanceById: new Map(instances.map((one) => [one.instance_id, one])),
  licences: byName(licences),
  licenceById: new Map(licences.map((one) => [one.licence_id, one])),
  gates: Map.groupBy(gates, ({ market }) => market),
})
type Known = ReturnType<typeof toKnown>

type Checking = { columns: Columns; known: Known; book: SlotBook; nowMs: number }
type Checked = { shown: ImportedRequest; form: BidRequestForm | null; mistakes: Mistake[] }

/** The instance that a row names, of the licence that it names. */
const findInstance = ({ known }: Checking, { fields }: RequestRow) => {
  const licence = known.licenceById.get(fields.licence) ?? known.licences.get(fields.licence.toLowerCase())?.[0] ?? null
  const named = known.instanceById.get(fields.instance)
  const found = named ? [named] : (known.instances.get(fields.instance.toLowerCase()) ?? [])
  const fit = found.filter(({ licence_id }) => fields.licence === '' || licence_id === licence?.licence_id)
  const errors: Record<string, string> = {}
  if (fields.licence !== '' && !licence) errors['licenseId'] = m.noSuchLicence
  else if (fit.length > 1) errors['groupId'] = m.severalInstances
  else if (fit.length === 0) errors['groupId'] = fields.instance === '' ? m.required : m.noSuchInstance
  const [instance] = fit
  if (instance && known.licenceById.get(instance.licence_id)?.enabled !== true) errors['licenseId'] = m.licenseNotActive
  return { instance: Object.keys(errors).length > 0 ? undefined : instance, errors }
}

const noId = '00000000-0000-7000-8000-000000000000'

/** One row by the rules of the form, and beside what is there and the rows before it. */
const check = (checking: Checking, row: RequestRow): Checked => {
  const { columns, known, book, nowMs } = checking
  const { market } = row.fields
  const { instance, errors } = findInstance(checking, row)
  if (market !== '' && !known.markets.has(market)) errors['biddingMarket'] = m.marketNotSupported
  else if (instance && !instance.markets.includes(market)) errors['biddingMarket'] = m.notOfEventType
  const ids = { licenseId: instance?.licence_id ?? noId, groupId: instance?.instance_id ?? noId }
  const { form, customBidding, mistakes } = toForm(columns, row, ids)
  const start = dateOf(row.fields.startDate)
  if (localDate.safeParse(start).success && start < firstOpenDay(known.gates.get(market) ?? [], nowMs))
    errors['startDate'] = m.bidsClosed
  const shown: ImportedRequest = {
    line: row.line,
    instance: instance?.name ?? row.fields.instance,
    biddingMarket: market,
    startDate: start,
    endDate: dateOf(row.fields.endDate),
    excludedCount: row.excluded.length,
    customBidding,
    offered: null,
    mistakes: 0,
    warnings: [],
  }
  if (form && instance && Object.keys(errors).length === 0) {
    const asked = toAsked(market, form)
    const overlap = book.findOverlap(instance.instance_id, asked)
    if (overlap) errors['startDate'] = overlap.row === null ? m.bidsOverlap : m.rowsOverlap(overlap.row)
    else if (book.isFull(instance.instance_id, asked)) errors['groupId'] = m.tooManyBeside(limits.bidRequestsBeside)
    else {
      shown.warnings = warningsAbove(asked, book.kwBeside(instance.instance_id, asked), {
        flexibleKw: instance.flexible_kw,
        means: known.means.get(`${market}/${instance.area ?? ''}`) ?? [],
      })
      book.add(instance.instance_id, asked, row.line)
    }
    if (form.customBidding)
      shown.offered = { slots: form.capacity.filter((mw) => mw > 0).length, mostMw: Math.max(...form.capacity) }
  }
  // What is unknown is said once, and slots of an unknown market are nobody's.
  const first = mistakesAt(columns, row, errors)
  const further = errors['biddingMarket'] ? [] : mistakes.filter(({ cell }) => !first.some((one) => one.cell === cell))
  const all = [...first, ...further]
  shown.mistakes = all.length
  return { shown, form: all.length === 0 ? form : null, mistakes: all }
}

/** Whoever waits for the answer: until when, and how far it is. */
export type Waiting = { signal: AbortSignal; progress: Progress }

/** A turn for others after so many rows: 10,000 of them are a second of work. */
const rowsPerTurn = 20

const checkAll = async (
  checking: Checking,
  rows: readonly RequestRow[],
  { signal, progress }: Waiting,
): Promise<Checked[]> => {
  const checked: Checked[] = []
  for (const [i, row] of rows.entries()) {
    if (i % rowsPerTurn === 0) {
      progress(i, rows.length)
      await nextTurn()
      signal.throwIfAborted()
    }
    checked.push(check(checking, row))
  }
  return checked
}

/** More than a few of one unit are told as one: 24 lines would bury the wrong cells. */
const fewHeaders = 3
const folded = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf(' '))).values()].flatMap((own) =>
    own.length > fewHeaders ? [`${own[0]} … ${own.at(-1)} (${own.length})`] : own,
  )

/** Headers that the markets of the file need and that are not there. */
const missing = (columns: Columns, rows: readonly RequestRow[], known: Known): Mistake[] => {
  const markets = new Set(rows.map(({ fields }) => fields.market).filter((market) => known.markets.has(market)))
  const names = new Set([...markets].flatMap((market) => missingColumns(columns, market)))
  return folded([...names]).map((column) => ({
    ...mistakeAt(columns, 1, -1, { found: '', expected: m.columnMissing }),
    column,
  }))
}

const saveAll = async (
  tx: Tx,
  customerId: string,
  forms: readonly BidRequestForm[],
  nowMs: number,
  { signal, progress }: Waiting,
) => {
  const now = new Date(nowMs)
  const batch = 250
  for (let i = 0; i < forms.length; i += batch) {
    progress(i, forms.length)
    await nextTurn()
    signal.throwIfAborted()
    const rows = forms.slice(i, i + batch).map((form): Insertable<BidRequest> => {
      const { licenseId: licence_id, groupId: instance_id, biddingMarket: market } = form
      return {
        customer_id: customerId,
        request_id: newId(nowMs),
        licence_id,
        instance_id,
        market,
        ...(columnsOf(form) as object),
        status: 'pending',
        created_at: now,
        updated_at: now,
      } as Insertable<BidRequest> // lists of numbers become columns of decimals
    })
    await insertRows('bid_request', rows).execute(tx)
  }
}

/** What ends when nobody waits for the answer any more, and who hears how far it is. */
export const waitingOf = (
  { app, viewer, reply }: { app: App; viewer: Viewer; reply: FastifyReply },
  watch: string | undefined,
): Waiting => ({ signal: goneOf(reply), progress: openProgress(app.live, viewer.customerId, watch) })

const importRequests = route(importBidRequests, async ({ app, viewer, own, audit, nowMs, body, file, reply }) => {
  if (!file) throw invalid({ file: m.required })
  const waiting = waitingOf({ app, viewer, reply }, body.watch)
  const table = await readTable(viewer.customerId, file, { most: limits.importedBidRows, columns: 100 }, waiting.signal)
  const { columns, requests, mistakes: ofColumns } = readRequests(table.rows, table.delimiter)
  if (requests.length === 0) throw invalid({ file: m.tableEmpty })
  for (let tries = 0; tries < 3; tries++) {
    const { state, means } = await own(async (tx, customerId) => {
      const read = await readState(tx, customerId, requests, false)
      return { state: read, means: await readMeans(tx, read, requests, nowMs) }
    })
    if (state.pending + requests.length > limits.pendingBidRequests)
      throw new Refusal(409, m.tooManyBidRequests(limits.pendingBidRequests))
    const known = toKnown(state, means)
    const book = openSlotBook()
    for (const row of state.requests) book.add(row.instance_id, askedOf(row), null)
    // Not within a transaction: in an embedded store it would hold up everybody.
    const checked = await checkAll({ columns, known, book, nowMs }, requests, waiting)
    const rowMistakes = checked.flatMap(({ mistakes }) => mistakes)
    const mistakes = [...ofColumns, ...missing(columns, requests, known), ...rowMistakes]
    const preview = {
      sheet: table.sheet,
      requests: checked.map(({ shown }) => shown),
      mistakes: mistakes.slice(0, limits.listedMistakes),
      mistakeCount: mistakes.length,
      saved: false,
    }
    if (!body.save || mistakes.length > 0) return preview
    const forms = checked.flatMap(({ form }) => (form ? [form] : []))
    const saved = await own(async (tx, customerId) => {
      // Where something has changed since, what was checked is checked again.
      if (!isDeepStrictEqual(await readState(tx, customerId, requests, true), state)) return false
      await saveAll(tx, customerId, forms, nowMs, waiting)
      const sha256 = createHash('sha256').update(file.bytes).digest('hex')
      await audit(tx, 'bid-request.import', file.name.slice(0, 200), { after: { requests: forms.length, sha256 } })
      return true
    })
    if (saved) return { ...preview, saved }
  }
  throw new Refusal(503, m.unavailable, { retryAfterS: 5 })
})

export const bidImports = [importRequests]
