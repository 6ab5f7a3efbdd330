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
import { openSlotBook, type SlotBook, withDays } from './overlaps.ts'
import { columnsOf, countPending, findGates, findRequestsBetween } from './queries.ts'
import {
  type FileRequest,
  missingColumns,
  mistakesAt,
  readRequests,
  type TableColumns,
  toForm,
} from './request-file.ts'
import { findMarketMeans } from './slot-history.ts'
import { type MarketMeans, warningsOf } from './warnings.ts'

const readState = async (tx: Tx, customerId: string, rows: readonly FileRequest[], lock: boolean) => {
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
    gates: await findGates(tx),
    pending: await countPending(tx, customerId),
    requests: startDate && endDate ? await findRequestsBetween(tx, customerId, { startDate, endDate }).execute() : [],
  }
}
type State = Awaited<ReturnType<typeof readState>>

const byName = <T extends { name: string }>(rows: readonly T[]) =>
  Map.groupBy(rows, ({ name }) => name.trim().toLowerCase())

const readMeans = async (tx: Tx, { markets, instances }: State, rows: readonly FileRequest[], nowMs: number) => {
  const named = new Set(rows.map(({ fields }) => fields.market))
  const areas = new Set(instances.map(({ area }) => area))
  const means = new Map<string, MarketMeans>()
  for (const market of markets.filter((one) => named.has(one)))
    for (const area of areas) means.set(`${market}/${area ?? ''}`, await findMarketMeans(tx, area, market, nowMs))
  return means
}

const indexState = ({ markets, instances, licences, gates }: State, means: Map<string, MarketMeans>) => ({
  means,
  markets: new Set(markets),
  instances: byName(instances),
  instanceById: new Map(instances.map((one) => [one.instance_id, one])),
  licences: byName(licences),
  licenceById: new Map(licences.map((one) => [one.licence_id, one])),
  gates: Map.groupBy(gates, ({ market }) => market),
})
type Index = ReturnType<typeof indexState>

type Checking = { columns: TableColumns; index: Index; book: SlotBook; nowMs: number }
type Checked = { preview: ImportedRequest; form: BidRequestForm | null; mistakes: Mistake[] }

const findInstance = ({ index }: Checking, { fields }: FileRequest) => {
  const licence = index.licenceById.get(fields.licence) ?? index.licences.get(fields.licence.toLowerCase())?.[0] ?? null
  const byId = index.instanceById.get(fields.instance)
  const candidates = byId ? [byId] : (index.instances.get(fields.instance.toLowerCase()) ?? [])
  const fit = candidates.filter(({ licence_id }) => fields.licence === '' || licence_id === licence?.licence_id)
  const errors: Record<string, string> = {}
  if (fields.licence !== '' && !licence) errors['licenseId'] = m.noSuchLicence
  else if (fit.length > 1) errors['groupId'] = m.severalInstances
  else if (fit.length === 0) errors['groupId'] = fields.instance === '' ? m.required : m.noSuchInstance
  const [instance] = fit
  if (instance && index.licenceById.get(instance.licence_id)?.enabled !== true) errors['licenseId'] = m.licenseNotActive
  return { instance: Object.keys(errors).length > 0 ? undefined : instance, errors }
}

const noId = '00000000-0000-7000-8000-000000000000'

const check = (checking: Checking, row: FileRequest): Checked => {
  const { columns, index, book, nowMs } = checking
  const { market } = row.fields
  const { instance, errors } = findInstance(checking, row)
  if (market !== '' && !index.markets.has(market)) errors['biddingMarket'] = m.marketNotSupported
  else if (instance && !instance.markets.includes(market)) errors['biddingMarket'] = m.notOfEventType
  const ids = { licenseId: instance?.licence_id ?? noId, groupId: instance?.instance_id ?? noId }
  const { form, customBidding, mistakes } = toForm(columns, row, ids)
  const start = dateOf(row.fields.startDate)
  if (localDate.safeParse(start).success && start < firstOpenDay(index.gates.get(market) ?? [], nowMs))
    errors['startDate'] = m.bidsClosed
  const preview: ImportedRequest = {
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
    const request = withDays({ market, ...columnsOf(form) })
    const overlap = book.findOverlap(instance.instance_id, request)
    if (overlap) errors['startDate'] = overlap.row === null ? m.bidsOverlap : m.rowsOverlap(overlap.row)
    else if (book.isFull(instance.instance_id, request)) errors['groupId'] = m.tooManyBeside(limits.bidRequestsBeside)
    else {
      preview.warnings = warningsOf(request, book.kwOnOtherMarkets(instance.instance_id, request), {
        flexibleKw: instance.flexible_kw,
        means: index.means.get(`${market}/${instance.area ?? ''}`) ?? [],
      })
      book.add(instance.instance_id, request, row.line)
    }
    if (form.customBidding)
      preview.offered = { slots: form.capacity.filter((mw) => mw > 0).length, mostMw: Math.max(...form.capacity) }
  }
  const first = mistakesAt(columns, row, errors)
  const further = errors['biddingMarket'] ? [] : mistakes.filter(({ cell }) => !first.some((one) => one.cell === cell))
  const all = [...first, ...further]
  preview.mistakes = all.length
  return { preview, form: all.length === 0 ? form : null, mistakes: all }
}

/** 10,000 rows are a second of work. */
const rowsPerTurn = 20

const checkAll = async (checking: Checking, rows: readonly FileRequest[], run: ImportRun): Promise<Checked[]> => {
  const checked: Checked[] = []
  for await (const row of inTurns(rows, rowsPerTurn, run)) checked.push(check(checking, row))
  return checked
}

const fewHeaders = 3
const folded = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf(' '))).values()].flatMap((some) =>
    some.length > fewHeaders ? [`${some[0]} … ${some.at(-1)} (${some.length})`] : some,
  )

const missingMistakes = (columns: TableColumns, rows: readonly FileRequest[], index: Index): Mistake[] => {
  const markets = new Set(rows.map(({ fields }) => fields.market).filter((market) => index.markets.has(market)))
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
    const rows = forms.slice(i, i + batch).map((form): Insertable<BidRequest> => ({
      customer_id: customerId,
      request_id: newId(nowMs),
      licence_id: form.licenseId,
      instance_id: form.groupId,
      market: form.biddingMarket,
      ...columnsOf(form),
      status: 'pending',
      created_at: now,
      updated_at: now,
    }))
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
    const index = indexState(state, means)
    const book = openSlotBook(state.requests)
    // A transaction would block the single connection of an embedded store.
    const checked = await checkAll({ columns, index, book, nowMs }, requests, upload)
    const rowMistakes = checked.flatMap(({ mistakes }) => mistakes)
    const mistakes = [...ofColumns, ...missingMistakes(columns, requests, index), ...rowMistakes]
    const preview = {
      sheet: table.sheet,
      requests: checked.map(({ preview }) => preview),
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
