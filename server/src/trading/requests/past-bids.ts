import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { bidRequestParts, refuseWrong, wrongDays, wrongSlots } from '@gridmast/contract/trading/bid-requests.ts'
import { auctionsOfMarket, cutOffMs, firstOpenDay, type Gate } from '@gridmast/contract/bid-slots.ts'
import { requiredText, text } from '@gridmast/contract/fields.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { datesBetween, dayBounds, daysBetween, type LocalDate, minuteMs } from '@gridmast/contract/time.ts'
import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import { type Insertable, sql } from 'kysely'
import { z } from 'zod'
import type { App } from '#context.ts'
import { parseJson } from '#platform/http/parse-json.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Bid, BidFile, BidRequest } from '#platform/records/db-types.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { insertRows } from '#platform/records/insert-rows.ts'
import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { bidCsv } from '#trading/placing/bid-file.ts'
import { findAllGates } from '#trading/placing/placed.ts'
import { decideOpen } from '#trading/results/results.ts'
import { columnsOf } from './asking.ts'
import { findPublished } from './basis-queries.ts'
import { type Asked, toAsked } from './beside.ts'
import { type PricedBid, pricedBids } from './earnings.ts'
import { productsOf } from './expansion.ts'
import { askedOf, findRequestsBetween } from './queries.ts'
import { openSlotBook } from './slot-book.ts'

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
type PastRequest = Line & { id: string; instance: Instance; auctions: readonly string[]; days: readonly LocalDate[] }

const listedMistakes = 50
/** Days of all requests of a file: ten instances over ten years. */
const maxDays = 40_000

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
    .select(['instance_id', 'valid_from', 'valid_to', 'auctions'])
    .execute(),
  gates: Map.groupBy(await findAllGates(tx), ({ market }) => market),
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
  const days = datesBetween(bids.startDate, endDate)
  return { no, bids, id, instance, auctions: auctions.filter((one) => bids.auctions?.includes(one) ?? true), days }
}

const toForm = ({ bids, instance }: PastRequest) => ({ ...bids, customBidding: true, groupId: instance.instance_id })

/** Days of all markets that requests have in common are written in one transaction, so a day is imported whole or not at all. */
const groupsOf = (requests: readonly PastRequest[]): PastRequest[][] => {
  const groups: PastRequest[][] = []
  let lastDay = ''
  for (const request of requests.toSorted((a, b) => (a.bids.startDate < b.bids.startDate ? -1 : 1))) {
    if (request.bids.startDate > lastDay) groups.push([])
    groups.at(-1)?.push(request)
    if (request.bids.endDate > lastDay) lastDay = request.bids.endDate
  }
  return groups.toReversed()
}

const isSame = (a: Asked, b: Asked) =>
  isDeepStrictEqual(
    [a.days, a.capacity.map(Number), a.price.map(Number)],
    [b.days, b.capacity.map(Number), b.price.map(Number)],
  )

/** Requests that are not stored yet. A stored request of the same slots is a mistake, unless it is of an earlier import of the same line. */
const findNew = async (tx: Tx, customerId: string, group: readonly PastRequest[]): Promise<PastRequest[]> => {
  const days = group.flatMap(({ bids }) => [bids.startDate, bids.endDate]).toSorted()
  const span = { startDate: days[0] ?? '', endDate: days.at(-1) ?? '' }
  const stored = await findRequestsBetween(tx, customerId, span)
  const storedById = new Map(stored.map((row) => [row.request_id, askedOf(row)]))
  const book = openSlotBook()
  const keyOf = ({ instance_id }: { instance_id: string }, auction: string) => `${instance_id} ${auction}`
  for (const row of stored)
    for (const auction of auctionsOfMarket(row.market)) book.add(keyOf(row, auction), askedOf(row), null)
  const mistakes: string[] = []
  const added = group.filter((request) => {
    const { no, id, bids, auctions, instance } = request
    const asked = toAsked(bids.market, toForm(request))
    const before = storedById.get(id)
    if (before) {
      if (!isSame(asked, before)) mistakes.push(`line ${no}: these days were imported before with other values`)
      return false
    }
    const overlap = auctions.map((auction) => book.findOverlap(keyOf(instance, auction), asked)).find(Boolean)
    if (overlap) mistakes.push(`line ${no}: ${overlap.row === null ? m.bidsOverlap : m.rowsOverlap(overlap.row)}`)
    for (const auction of auctions) book.add(keyOf(instance, auction), asked, no)
    return !overlap
  })
  refuse(mistakes)
  return added
}

const bidsOfRequests = async (tx: Tx, { contracts }: State, requests: readonly PastRequest[]) => {
  const bids: (PricedBid & { request: PastRequest; day: LocalDate })[] = []
  const places = Map.groupBy(requests, ({ bids: { market }, instance: { area } }) => `${market} ${area ?? ''}`)
  for (const ofPlace of places.values()) {
    const [first] = ofPlace
    const days = ofPlace.flatMap((request) => request.days).toSorted()
    if (!first || days.length === 0) continue
    const { area } = first.instance
    const { market } = first.bids
    const span = { fromMs: dayBounds(days[0] ?? '').fromMs, toMs: dayBounds(days.at(-1) ?? '').toMs }
    const published = await findPublished(tx, area, productsOf(market, area), span)
    for (const request of ofPlace) {
      const { capacity: mw, price: eur, regulationPrice: energyEur } = request.bids
      const offer = {
        market,
        area,
        customBidding: true,
        capacity: mw.map(String),
        price: eur.map(String),
        regulationPrice: energyEur?.map(String) ?? null,
        forecastKw: [],
      }
      const excluded = new Set(request.bids.excludedDays.map(({ date }) => date))
      for (const day of request.days.filter((one) => !excluded.has(one))) {
        const contract = contracts.find(
          ({ instance_id, valid_from, valid_to }) =>
            instance_id === request.instance.instance_id && valid_from <= day && (valid_to === null || valid_to > day),
        )
        const ofContract = request.bids.auctions || !contract ? null : { auctions: contract.auctions, priceEur: '0' }
        for (const bid of pricedBids({ ...offer, contract: ofContract }, day, published, request.auctions))
          bids.push({ ...bid, request, day })
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
      const { id, instance, bids: line, auctions, days } = request
      const requestedAt = new Date(line.requestedAt ?? now)
      return {
        customer_id: customerId,
        request_id: id,
        licence_id: instance.licence_id,
        instance_id: instance.instance_id,
        market: line.market,
        ...(columnsOf(toForm(request)) as object),
        status: 'placed',
        created_at: requestedAt,
        updated_at: requestedAt,
        placed_at: sentAt(gateOf(line.market, auctions[0] ?? ''), days[0] ?? line.startDate),
      } as Insertable<BidRequest> // lists of numbers become columns of decimals
    }),
  ).execute(tx)
  const bidRows = bids.map(({ request, day, ...bid }): Insertable<Bid> => ({
    customer_id: customerId,
    instance_id: request.instance.instance_id,
    market: request.bids.market,
    product: bid.product,
    auction: bid.auction,
    starts_at: new Date(bid.fromMs),
    ends_at: new Date(bid.toMs),
    day,
    slot: bid.slot,
    request_id: request.id,
    capacity_mw: bid.capacityMw,
    price_eur: bid.priceEur,
    regulation_price_eur: bid.regulationPriceEur,
    sent_at: sentAt(gateOf(request.bids.market, bid.auction), day),
    won: bid.won,
    won_mw: bid.won ? bid.capacityMw : null,
    marginal_price_eur: bid.marginalPriceEur,
    decided_at: bid.won === null ? null : now,
    decided_by: bid.won === null ? null : 'price',
  }))
  if (bidRows.length > 0) await insertRows('bid', bidRows).execute(tx)
  addMarks(
    tx,
    'settlement_due',
    bids.map(({ request, day }) => ({ customer_id: customerId, instance_id: request.instance.instance_id, day })),
  )
  await writeFiles(tx, run, requests, { bids, gateOf })
  await writeAudit(tx, customerId, nowMs, {
    who: 'operator',
    action: 'bid-request.import',
    subject: file,
    after: { days: spanOf(group), requests: requests.length, bids: bids.length, sha256 },
  })
  return { requests, bids }
}

/** Also for auctions without a bid: a day of the past is no missed gate. */
const writeFiles = async (
  tx: Tx,
  { customerId, nowMs }: Import,
  requests: readonly PastRequest[],
  how: {
    bids: Awaited<ReturnType<typeof bidsOfRequests>>
    gateOf: (market: string, auction: string) => Gate | undefined
  },
) => {
  const keyOf = (market: string, auction: string, day: LocalDate) => `${market}/${auction}/${day}`
  const bidsOf = Map.groupBy(how.bids, (bid) => keyOf(bid.request.bids.market, bid.auction, bid.day))
  const files: Insertable<BidFile>[] = []
  for (const [market, ofMarket] of Map.groupBy(requests, ({ bids }) => bids.market))
    for (const day of new Set(ofMarket.flatMap(({ days }) => days)))
      for (const auction of auctionsOfMarket(market)) {
        const gate = how.gateOf(market, auction)
        const ofFile = (bidsOf.get(keyOf(market, auction, day)) ?? []).map((bid) => ({
          ...bid,
          request: { request_id: bid.request.id, instance_name: bid.request.instance.name },
        }))
        const name = `imported-bids-${market}${auction === '' ? '' : `-${auction.replace(' ', '-')}`}-${day}.csv`
        files.push({
          customer_id: customerId,
          market,
          auction,
          day,
          file_id: newId(nowMs),
          name: ofFile.length > 0 ? name : '',
          content: ofFile.length > 0 ? await bidCsv({ market, auction }, day, ofFile) : '',
          sent_at: sentAt(gate, day),
          results_told_at: new Date(nowMs),
        })
      }
  await sql`${insertRows('bid_file', files)} on conflict do nothing`.execute(tx)
}

const spanOf = (group: readonly PastRequest[]) => {
  const days = group.flatMap(({ bids }) => [bids.startDate, bids.endDate]).toSorted()
  return days[0] === days.at(-1) ? `${days[0]}` : `${days[0]} to ${days.at(-1)}`
}

export type PastBidsFile = { customer: string; file: string; text: string; dryRun: boolean }

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
  const mistakes: string[] = []
  let waiting = 0
  for (const group of groups)
    await records
      .tenant(customerId, async (tx) => {
        waiting += (await findNew(tx, customerId, group)).length
      })
      .catch((error: unknown) => {
        if (!(error instanceof BadPastBids)) throw error
        mistakes.push(error.message)
      })
  refuse(mistakes.join('\n').split('\n').filter(Boolean))
  if (dryRun) return yield `${waiting} of ${lines.length} requests would be imported, nothing written (dry run)`
  const run = { customerId, file, sha256: createHash('sha256').update(content).digest('hex'), nowMs }
  let [requestCount, bidCount, openCount] = [0, 0, 0]
  for (const group of groups) {
    const { requests, bids } = await records.tenant(customerId, (tx) => writeGroup(tx, run, state, group))
    if (requests.length === 0) continue
    requestCount += requests.length
    bidCount += bids.length
    openCount += bids.filter(({ won }) => won === null).length
    yield `${spanOf(group)}: ${requests.length} requests, ${bids.length} bids`
  }
  const firstDay = groups.at(-1)?.[0]?.bids.startDate ?? ''
  const decided = await records.tenant(customerId, (tx) => decideOpen(tx, nowMs, new Date(dayBounds(firstDay).fromMs)))
  yield `${requestCount} of ${lines.length} requests imported with ${bidCount} bids, ${lines.length - requestCount} were there before`
  if (openCount > decided)
    yield `${openCount - decided} bids have no published price: backfill the prices of their days and import the file again`
}
