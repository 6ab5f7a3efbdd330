import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type ImportedRequest, importBidRequests } from '@gridmast/contract/trading/bid-files.ts'
import type { BidRequestForm } from '@gridmast/contract/trading/bid-requests.ts'
import { firstOpenDay } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { Mistake } from '@gridmast/contract/table-mistake.ts'
import { localDate } from '@gridmast/contract/time.ts'
import type { Insertable } from 'kysely'
import { dateOf, mistakeIn, type ImportRun, inTurns, readUpload, untilUnchanged } from '#platform/files/import-table.ts'
import { route } from '#context.ts'
import type { BidRequest } from '#platform/records/db-types.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { insertRows, selectRows } from '#platform/records/rows.ts'
import type { Tx } from '#platform/records/records.ts'
import { findMarketMeans } from './basis-queries.ts'
import { type MarketMeans, toAsked, warningsAbove } from './beside.ts'
import { askedOf, countPending, findRequestsBetween } from './queries.ts'
import { findAllGates } from '#trading/placing/placed.ts'
import { type Columns, missingColumns, mistakesAt, readRequests, type RequestRow, toForm } from './request-file.ts'
import { columnsOf } from './asking.ts'
import { openSlotBook, type SlotBook } from './slot-book.ts'

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
  const first = mistakesAt(columns, row, errors)
  const further = errors['biddingMarket'] ? [] : mistakes.filter(({ cell }) => !first.some((one) => one.cell === cell))
  const all = [...first, ...further]
  shown.mistakes = all.length
  return { shown, form: all.length === 0 ? form : null, mistakes: all }
}

/** 10,000 rows are a second of work. */
const rowsPerTurn = 20

const checkAll = async (checking: Checking, rows: readonly RequestRow[], run: ImportRun): Promise<Checked[]> => {
  const checked: Checked[] = []
  for await (const row of inTurns(rows, rowsPerTurn, run)) checked.push(check(checking, row))
  return checked
}

const fewHeaders = 3
const folded = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf(' '))).values()].flatMap((own) =>
    own.length > fewHeaders ? [`${own[0]} … ${own.at(-1)} (${own.length})`] : own,
  )

const missing = (columns: Columns, rows: readonly RequestRow[], known: Known): Mistake[] => {
  const markets = new Set(rows.map(({ fields }) => fields.market).filter((market) => known.markets.has(market)))
  const names = new Set([...markets].flatMap((market) => missingColumns(columns, market)))
  return folded([...names]).map((column) => mistakeIn(column, 1, { found: '', expected: m.columnMissing }))
}

const saveAll = async (
  tx: Tx,
  customerId: string,
  forms: readonly BidRequestForm[],
  nowMs: number,
  { signal, progress }: ImportRun,
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

const importRequests = route(importBidRequests, async (request) => {
  const { own, audit, nowMs, body } = request
  const upload = await readUpload(request, { most: limits.importedBidRows, columns: 100 })
  const { table, name, sha256 } = upload
  const { columns, requests, mistakes: ofColumns } = readRequests(table.rows, table.delimiter)
  if (requests.length === 0) throw invalid({ file: m.tableEmpty })
  return untilUnchanged(async () => {
    const { state, means } = await own(async (tx, customerId) => {
      const read = await readState(tx, customerId, requests, false)
      return { state: read, means: await readMeans(tx, read, requests, nowMs) }
    })
    if (state.pending + requests.length > limits.pendingBidRequests)
      throw new Refusal(409, m.tooManyBidRequests(limits.pendingBidRequests))
    const known = toKnown(state, means)
    const book = openSlotBook()
    for (const row of state.requests) book.add(row.instance_id, askedOf(row), null)
    // A transaction would block the single connection of an embedded store.
    const checked = await checkAll({ columns, known, book, nowMs }, requests, upload)
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
    return own(async (tx, customerId) => {
      if (!isDeepStrictEqual(await readState(tx, customerId, requests, true), state)) return null
      await saveAll(tx, customerId, forms, nowMs, upload)
      const after = { requests: forms.length, sha256: sha256.toString('hex') }
      await audit(tx, 'bid-request.import', name, { after })
      return { ...preview, saved: true }
    })
  })
})

export const bidImports = [importRequests]
