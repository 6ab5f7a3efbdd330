import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  bidRequestParts,
  refuseWrong,
  requestedDays,
  wrongDays,
  wrongSlots,
} from '@gridmast/contract/trading/bid-requests.ts'
import { auctionsOfMarket, cutOffMs, firstOpenDay, type Gate } from '@gridmast/contract/bid-slots.ts'
import { requiredText, text } from '@gridmast/contract/fields.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { datesBetween, dayBounds, daysBetween, formatDate, type LocalDate, minuteMs } from '@gridmast/contract/time.ts'
import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import { type Insertable, sql } from 'kysely'
import { z } from 'zod'
import type { App } from '#context.ts'
import { parseJson } from '#platform/http/parse-json.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Bid, BidFile, BidRequest } from '#platform/records/db-types.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRows, selectRows } from '#platform/records/rows.ts'
import { bidCsv } from '#trading/placing/placing.ts'
import { decideOpen } from '#trading/results/results.ts'
import { type PricedBid, pricedBids } from './earnings.ts'
import { productsOf } from './expansion.ts'
import { openSlotBook, withDays } from './overlaps.ts'
import { columnsOf, findGates, findRequestsBetween, type RequestRow } from './queries.ts'
import { findPublished, spanOf } from './slot-history.ts'

/* Import of bids of days that are closed for requests. Format and rules: past-bids.md. */

const { biddingMarket, startDate, endDate, excludedDays, note, capacity, price, regulationPrice } = bidRequestParts
const pastBids = z
  .strictObject({
    instance: requiredText(100),
    market: biddingMarket,
    auctions: z.array(text(20)).min(1).max(2).optional(),
    startDate,
    endDate,
    excludedDays: excludedDays.default([]),
    note: note.default(''),
    capacity,
    price,
    regulationPrice,
    requestedAt: z.iso.datetime({ error: m.instant }).optional(),
  })
  .superRefine((line, context) =>
    refuseWrong(context, [...wrongDays(line), ...wrongSlots(line.market, { ...line, customBidding: true })]),
  )
type PastBids = z.infer<typeof pastBids>
type Line = { no: number; bids: PastBids }
type Instance = Awaited<ReturnType<typeof readState>>['instances'][number]
type PastRequest = {
  no: number
  id: string
  instance: Instance
  market: string
  columns: ReturnType<typeof columnsOf>
  requestedAt: string | undefined
  auctions: readonly string[]
  /** The contract of the instance chooses the auctions. */
  ofContract: boolean
}

const listedMistakes = 50
/** Days of all requests of a file: ten instances over ten years. */
const maxDays = 40_000
/** Days of all requests of a transaction. */
const maxGroupDays = 1000
const bidBatch = 10_000

export class BadPastBids extends Error {}

const refuse = (mistakes: readonly string[]) => {
  if (mistakes.length === 0) return
  const more = mistakes.length - listedMistakes
  const listed = [...mistakes.slice(0, listedMistakes), ...(more > 0 ? [`and ${more} more`] : [])]
  throw new BadPastBids(listed.join('\n'))
}

const parseLine = (line: string): unknown => {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}

const readLines = (file: string): Line[] => {
  const lines = file.split('\n')
  if (lines.length > limits.importedBidRows + 1) throw new BadPastBids(`at most ${limits.importedBidRows} lines`)
  const mistakes: string[] = []
  const read = lines.flatMap((line, i): Line[] => {
    if (line.trim() === '') return []
    const value = parseLine(line)
    const parsed = pastBids.safeParse(value)
    if (parsed.success) return [{ no: i + 1, bids: parsed.data }]
    if (typeof value !== 'object') mistakes.push(`line ${i + 1}: no JSON object`)
    else
      for (const [field, message] of Object.entries(fieldErrors(parsed.error)))
        mistakes.push(`line ${i + 1}: ${field === '' ? '' : `${field}: `}${message}`)
    return []
  })
  refuse(mistakes)
  const days = read.reduce((sum, { bids }) => sum + daysBetween(bids.startDate, bids.endDate) + 1, 0)
  if (days > maxDays) throw new BadPastBids(`at most ${maxDays} days in all lines; these are ${days}`)
  if (read.length === 0) throw new BadPastBids('no lines')
  return read
}

const readState = async (tx: Tx, customerId: string) => ({
  instances: await selectRows(tx, customerId, 'instance', { enabled: true })
    .select(['instance_id', 'key', 'name', 'licence_id', 'markets', 'area'])
    .execute(),
  contracts: await selectRows(tx, customerId, 'instance_contract')
    .select(['instance_id', 'valid_from', 'valid_to', 'auctions', 'default_price_eur'])
    .execute(),
  gates: Map.groupBy(await findGates(tx), ({ market }) => market),
})
type State = Awaited<ReturnType<typeof readState>>

const toRequest = ({ instances, gates }: State, { no, bids }: Line, nowMs: number): PastRequest | string => {
  const { market, endDate, requestedAt } = bids
  const instance = instances.find(({ key }) => key === bids.instance)
  if (!instance) return `line ${no}: instance: ${m.noSuchInstance}`
  if (!instance.markets.includes(market)) return `line ${no}: market: ${m.notOfEventType}`
  const auctions = auctionsOfMarket(market)
  const foreign = bids.auctions?.find((auction) => !auctions.includes(auction))
  if (foreign !== undefined) return `line ${no}: auctions: ${market} has no auction '${foreign}'`
  const openDay = firstOpenDay(gates.get(market) ?? [], nowMs)
  if (endDate >= openDay) return `line ${no}: endDate: ${openDay} and later days are open: request them in the portal`
  if (requestedAt && Date.parse(requestedAt) > nowMs) return `line ${no}: requestedAt: is in the future`
  const id = idOf('past bids', instance.instance_id, market, bids.startDate, endDate, ...(bids.auctions ?? []))
  const columns = columnsOf({ ...bids, customBidding: true })
  const ofContract = bids.auctions === undefined
  const named = auctions.filter((auction) => ofContract || bids.auctions?.includes(auction))
  return { no, id, instance, market, columns, requestedAt, auctions: named, ofContract }
}

const firstDay = ({ columns }: PastRequest) => columns.start_date
const lastDay = ({ columns }: PastRequest) => columns.end_date
const daysOf = (request: PastRequest) => datesBetween(firstDay(request), lastDay(request))

/** Days of all markets that requests have in common are written in one transaction, so a day is imported whole or not at all. */
const groupsOf = (requests: readonly PastRequest[]): PastRequest[][] => {
  const groups: PastRequest[][] = []
  let groupEnd = ''
  for (const request of requests.toSorted((a, b) => (firstDay(a) < firstDay(b) ? -1 : 1))) {
    if (firstDay(request) > groupEnd) groups.push([])
    groups.at(-1)?.push(request)
    if (lastDay(request) > groupEnd) groupEnd = lastDay(request)
  }
  return groups.toReversed()
}

const rangeOf = (group: readonly PastRequest[]) => {
  const days = group.flatMap((request) => [firstDay(request), lastDay(request)]).toSorted()
  return { startDate: days[0] ?? '', endDate: days.at(-1) ?? '' }
}

const tooManyDays = (group: readonly PastRequest[]): string[] => {
  const days = group.reduce((sum, request) => sum + daysOf(request).length, 0)
  if (days <= maxGroupDays) return []
  return [
    `line ${group[0]?.no}: ${days} days in lines that overlap, of ${maxGroupDays} at most: split them by month or day`,
  ]
}

type Values = Pick<
  RequestRow,
  'start_date' | 'end_date' | 'excluded_days' | 'capacity_mw' | 'price_eur' | 'regulation_price_eur'
>

const hasSameValues = (a: Values, b: Values) => {
  const valuesOf = ({ start_date, end_date, excluded_days, ...values }: Values) => [
    requestedDays({ startDate: start_date, endDate: end_date, excludedDays: excluded_days }),
    values.capacity_mw.map(Number),
    values.price_eur.map(Number),
    values.regulation_price_eur?.map(Number) ?? null,
  ]
  return isDeepStrictEqual(valuesOf(a), valuesOf(b))
}

/** Requests that are not stored yet. A stored request of the same slots is a mistake, unless it is of an earlier import of the same line. */
const findNew = async (tx: Tx, customerId: string, group: readonly PastRequest[]): Promise<PastRequest[]> => {
  const stored = await findRequestsBetween(tx, customerId, rangeOf(group)).execute()
  const storedById = new Map(stored.map((row) => [row.request_id, row]))
  const book = openSlotBook()
  const keyOf = ({ instance_id }: { instance_id: string }, auction: string) => `${instance_id} ${auction}`
  for (const row of stored)
    for (const auction of auctionsOfMarket(row.market)) book.add(keyOf(row, auction), withDays(row), null)
  const mistakes: string[] = []
  const added = group.filter(({ no, id, market, columns, auctions, instance }) => {
    const request = withDays({ market, ...columns })
    const before = storedById.get(id)
    if (before) {
      if (!hasSameValues(columns, before))
        mistakes.push(`line ${no}: these days were imported before with other values`)
      return false
    }
    const overlap = auctions.map((auction) => book.findOverlap(keyOf(instance, auction), request)).find(Boolean)
    if (overlap) mistakes.push(`line ${no}: ${overlap.row === null ? m.bidsOverlap : m.rowsOverlap(overlap.row)}`)
    for (const auction of auctions) book.add(keyOf(instance, auction), request, no)
    return !overlap
  })
  refuse(mistakes)
  return added
}

type ImportedBid = PricedBid & { day: LocalDate; request: PastRequest }

const bidsOfRequests = async (tx: Tx, { contracts }: State, requests: readonly PastRequest[]) => {
  const bids: ImportedBid[] = []
  for (const sameSignals of Map.groupBy(requests, (one) => `${one.market} ${one.instance.area ?? ''}`).values()) {
    const [{ market, instance } = { market: '', instance: { area: null } }] = sameSignals
    const days = sameSignals.flatMap(daysOf).toSorted()
    const published = await findPublished(tx, instance.area, productsOf(market, instance.area), spanOf(days))
    for (const request of sameSignals) {
      const contractOn = (day: LocalDate) =>
        contracts.find(
          ({ instance_id, valid_from, valid_to }) =>
            instance_id === request.instance.instance_id && valid_from <= day && (valid_to === null || valid_to > day),
        )
      for (const day of withDays({ market, ...request.columns }).days) {
        const contract = request.ofContract ? (contractOn(day) ?? null) : null
        const offer = { market, area: instance.area, ...request.columns, contract, forecastKw: [] }
        bids.push(...pricedBids(offer, day, published, request.auctions).map((bid) => ({ ...bid, day, request })))
      }
    }
  }
  return bids
}

type Import = { customerId: string; file: string; sha256: string; nowMs: number }

const sentAt = (gate: Gate | undefined, day: LocalDate) =>
  new Date(gate ? cutOffMs(gate, day) + minuteMs : dayBounds(day).fromMs)

/** Requests of a group with their bids, the results by published prices, and bid files that notify no subscriber. */
const writeGroup = async (tx: Tx, run: Import, state: State, group: readonly PastRequest[]) => {
  const { customerId, file, sha256, nowMs } = run
  await selectRows(tx, customerId, 'instance', { instance_id: group.map(({ instance }) => instance.instance_id) })
    .select('instance_id')
    .orderBy('instance_id')
    .forUpdate()
    .execute()
  const requests = await findNew(tx, customerId, group)
  if (requests.length === 0) return { requests, bids: [] }
  const now = new Date(nowMs)
  const gateOf = (market: string, auction: string) => state.gates.get(market)?.find((gate) => gate.auction === auction)
  const bids = await bidsOfRequests(tx, state, requests)
  await insertRows(
    'bid_request',
    requests.map((request): Insertable<BidRequest> => {
      const { id, instance, market, columns, auctions } = request
      const requestedAt = new Date(request.requestedAt ?? now)
      return {
        customer_id: customerId,
        request_id: id,
        licence_id: instance.licence_id,
        instance_id: instance.instance_id,
        market,
        ...columns,
        status: 'placed',
        created_at: requestedAt,
        updated_at: requestedAt,
        placed_at: sentAt(gateOf(market, auctions[0] ?? ''), columns.start_date),
      }
    }),
  ).execute(tx)
  const bidRows = bids.map(({ request, ...bid }): Insertable<Bid> => ({
    customer_id: customerId,
    instance_id: request.instance.instance_id,
    market: request.market,
    request_id: request.id,
    ...bid,
    sent_at: sentAt(gateOf(request.market, bid.auction), bid.day),
    decided_at: bid.won === null ? null : now,
    decided_by: bid.won === null ? null : 'price',
  }))
  for (let i = 0; i < bidRows.length; i += bidBatch) await insertRows('bid', bidRows.slice(i, i + bidBatch)).execute(tx)
  addMarks(
    tx,
    'settlement_due',
    bids.map(({ request, day }) => ({ customer_id: customerId, instance_id: request.instance.instance_id, day })),
  )
  await writeFiles(tx, run, requests, { bids, gateOf })
  const { startDate, endDate } = rangeOf(group)
  await writeAudit(tx, customerId, nowMs, {
    who: 'operator',
    action: 'bid-request.import',
    subject: `${file}, ${formatDate(startDate)}–${formatDate(endDate)}`,
    after: { requests: requests.length, bids: bids.length, sha256 },
  })
  return { requests, bids }
}

/** Also for auctions without a bid: a day of the past is no missed gate. */
const writeFiles = async (
  tx: Tx,
  { customerId, nowMs }: Import,
  requests: readonly PastRequest[],
  how: { bids: readonly ImportedBid[]; gateOf: (market: string, auction: string) => Gate | undefined },
) => {
  const keyOf = (market: string, auction: string, day: LocalDate) => `${market}/${auction}/${day}`
  const bidsByFile = Map.groupBy(how.bids, (bid) => keyOf(bid.request.market, bid.auction, bid.day))
  const files: Insertable<BidFile>[] = []
  for (const [market, ofMarket] of Map.groupBy(requests, (request) => request.market))
    for (const day of new Set(ofMarket.flatMap(daysOf)))
      for (const auction of auctionsOfMarket(market)) {
        const bids = (bidsByFile.get(keyOf(market, auction, day)) ?? []).map(({ request, ...bid }) => ({
          ...bid,
          request_id: request.id,
          instance_name: request.instance.name,
        }))
        const name = `imported-bids-${market}${auction === '' ? '' : `-${auction.replace(' ', '-')}`}-${day}.csv`
        files.push({
          customer_id: customerId,
          market,
          auction,
          day,
          file_id: newId(nowMs),
          name: bids.length > 0 ? name : '',
          content: bids.length > 0 ? await bidCsv({ market, auction }, day, bids) : '',
          sent_at: sentAt(how.gateOf(market, auction), day),
          results_told_at: new Date(nowMs),
        })
      }
  await sql`${insertRows('bid_file', files)} on conflict do nothing`.execute(tx)
}

const rangeText = (group: readonly PastRequest[]) => {
  const { startDate, endDate } = rangeOf(group)
  return startDate === endDate ? startDate : `${startDate} to ${endDate}`
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

type PastBidsFile = { customer: string; file: string; text: string; dryRun: boolean }

/** Imports the newest days first, each group of days in a transaction of its own; yields a line for each. A second run imports only what is missing. */
export const importPastBids = async function* (
  { records, clock }: Pick<App, 'records' | 'clock'>,
  { customer, file, text: content, dryRun }: PastBidsFile,
): AsyncGenerator<string> {
  const lines = readLines(content)
  const nowMs = clock.now()
  const row = await records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', customer).executeTakeFirst(),
  )
  if (!row) throw new BadPastBids(`There is no customer ${customer}`)
  const customerId = row.customer_id
  const state = await records.tenant(customerId, (tx) => readState(tx, customerId))
  const checked = lines.map((line) => toRequest(state, line, nowMs))
  refuse(checked.filter((one) => typeof one === 'string'))
  const groups = groupsOf(checked.filter((one) => typeof one !== 'string'))
  refuse(groups.flatMap(tooManyDays))
  const mistakes: string[] = []
  let waiting = 0
  for (const group of groups)
    waiting += await records
      .tenant(customerId, async (tx) => (await findNew(tx, customerId, group)).length)
      .catch((error: unknown) => {
        if (!(error instanceof BadPastBids)) throw error
        mistakes.push(error.message)
        return 0
      })
  refuse(mistakes.join('\n').split('\n').filter(Boolean))
  if (dryRun)
    return yield `${counted(waiting, 'request')} of ${lines.length} would be imported, nothing written (dry run)`
  const run = { customerId, file, sha256: createHash('sha256').update(content).digest('hex'), nowMs }
  let [requestCount, bidCount, openCount] = [0, 0, 0]
  for (const group of groups) {
    const { requests, bids } = await records
      .tenant(customerId, (tx) => writeGroup(tx, run, state, group))
      .catch((error: unknown) => {
        if (!(error instanceof BadPastBids)) throw error
        const done = `${counted(requestCount, 'request')} were imported before requests of users changed`
        throw new Error(`${file}: ${done}:\n${error.message}`, { cause: error })
      })
    if (requests.length === 0) continue
    requestCount += requests.length
    bidCount += bids.length
    openCount += bids.filter(({ won }) => won === null).length
    yield `${rangeText(group)}: ${counted(requests.length, 'request')}, ${counted(bids.length, 'bid')}`
  }
  const oldest = rangeOf(groups.at(-1) ?? []).startDate
  const decided = await records.tenant(customerId, (tx) => decideOpen(tx, nowMs, new Date(dayBounds(oldest).fromMs)))
  yield `${counted(requestCount, 'request')} of ${lines.length} imported with ${counted(bidCount, 'bid')}`
  if (openCount > decided)
    yield `${openCount - decided} bids have no published price: backfill the prices of their days and import the file again`
}
