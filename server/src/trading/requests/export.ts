import { exportBidRequests, sentBidFile } from '@gridmast/contract/trading/bid-files.ts'
import { energyPriced, firstOpenDay, requestSlots } from '@gridmast/contract/bid-slots.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { getLicence } from '#access/licence.ts'
import { ownRoute, route } from '#context.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile } from '#platform/files/table-file.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import {
  findGates,
  findRequestIds,
  findRequestsByIds,
  getRequest,
  isBiddingMarket,
  type RequestRow,
} from './queries.ts'
import { slotHeading, slotHours, type SlotKind, slotKinds } from './request-file.ts'

/** Writes requests in the format of the import (request-file.md). */

type ExportedRequest = Omit<RequestRow, 'request_id' | 'licence_id' | 'instance_id' | 'created_at' | 'updated_at'> & {
  licence: string
}
type SlotColumn = { kind: SlotKind; hour: number }

const slotColumns = (markets: readonly string[]): SlotColumn[] => {
  const hours = [...new Set(markets.flatMap(slotHours))].toSorted((a, b) => a - b)
  const kinds = slotKinds.filter((kind) => kind !== 'regulationPrice' || markets.some(energyPriced))
  return kinds.flatMap((kind) => hours.map((hour) => ({ kind, hour })))
}

type Line = { row: ExportedRequest | null; excluded: { date: string; reason: string | null } | undefined }

const columnsOf = (slots: readonly SlotColumn[]): Column<Line>[] => [
  column.text('License', ({ row }) => row?.licence),
  column.text('Instance', ({ row }) => row?.instance_name, 28),
  column.text('Market', ({ row }) => row?.market, 12),
  column.day('Start Date', ({ row }) => row?.start_date, 12),
  column.day('End Date', ({ row }) => row?.end_date, 12),
  column.text('Custom bidding', ({ row }) => row && (row.custom_bidding ? 'yes' : 'no'), 14),
  column.text('Note', ({ row }) => row?.note, 36),
  column.day('Excluded day', ({ excluded }) => excluded?.date, 12),
  column.text('Reason', ({ excluded }) => excluded?.reason),
  column.text('Status', ({ row }) => row?.status, 10),
  ...slots.map((slot) => column.text<Line>(slotHeading(slot.kind, slot.hour), ({ row }) => slotValue(row, slot), 14)),
]

const slotValue = (row: ExportedRequest | null, { kind, hour }: SlotColumn): number | null => {
  if (!row?.custom_bidding) return null
  const lists = { capacity: row.capacity_mw, price: row.price_eur, regulationPrice: row.regulation_price_eur }
  const decimal = lists[kind]?.[slotHours(row.market).indexOf(hour)]
  return decimal === undefined ? null : Number(decimal)
}

async function* linesOf(rows: AsyncIterable<ExportedRequest> | Iterable<ExportedRequest>): AsyncGenerator<Line> {
  for await (const row of rows) {
    const [first, ...further] = row.excluded_days
    yield { row, excluded: first }
    for (const excluded of further) yield { row: null, excluded }
  }
}

const requestsFile = (
  fileName: string,
  markets: readonly string[],
  rows: AsyncIterable<ExportedRequest> | Iterable<ExportedRequest>,
) => tableFile({ fileName, sheet: 'Bid requests' }, columnsOf(slotColumns(markets)), linesOf(rows))

/** The id replaces a name that two instances share, because the import could not tell them apart. */
const findNames = async (tx: Tx, customerId: string) => {
  const instances = await selectRows(tx, customerId, 'instance')
    .select(['instance_id', 'name', 'licence_id', 'markets', 'enabled'])
    .orderBy('position')
    .execute()
  const licences = await selectRows(tx, customerId, 'licence').select(['licence_id', 'name']).execute()
  const licenceNames = new Map(licences.map(({ licence_id, name }) => [licence_id, name]))
  const same = Map.groupBy(instances, ({ name }) => name.trim().toLowerCase())
  const isAlone = (name: string) => (same.get(name.trim().toLowerCase()) ?? []).length === 1
  const names = new Map(instances.map(({ instance_id, name }) => [instance_id, isAlone(name) ? name : instance_id]))
  return { instances, licenceNames, names }
}

type Names = Awaited<ReturnType<typeof findNames>>

const batch = 500

/** One transaction per batch, so that a slow download keeps no transaction open. */
const readRows = async function* (own: Own['own'], ids: readonly string[], { licenceNames, names }: Names) {
  for (let i = 0; i < ids.length; i += batch)
    for (const row of await own((tx, customerId) => findRequestsByIds(tx, customerId, ids.slice(i, i + batch))))
      yield {
        ...row,
        licence: licenceNames.get(row.licence_id) ?? '',
        instance_name: names.get(row.instance_id) ?? row.instance_name,
      }
}

const exampleOf = async (tx: Tx, market: string, { instances, licenceNames, names }: Names, nowMs: number) => {
  const instance = instances.find((one) => one.enabled && one.markets.includes(market))
  const [day, slots] = [firstOpenDay(await findGates(tx, market), nowMs), requestSlots(market) ?? 0]
  const list = (value: string) => Array.from({ length: slots }, () => value)
  return {
    licence: licenceNames.get(instance?.licence_id ?? '') ?? '',
    instance_name: names.get(instance?.instance_id ?? '') ?? '',
    market,
    start_date: day,
    end_date: day,
    custom_bidding: true,
    note: 'Example',
    excluded_days: [],
    capacity_mw: list('0.1'),
    price_eur: list('10'),
    status: '',
    regulation_price_eur: energyPriced(market) ? list('100') : null,
  }
}

const exportTemplate = async (tx: Tx, customerId: string, market: string, nowMs: number) => {
  if (requestSlots(market) === null || !(await isBiddingMarket(tx, customerId, market)))
    throw invalid({ market: m.marketNotSupported })
  const example = await exampleOf(tx, market, await findNames(tx, customerId), nowMs)
  return requestsFile(`Bid requests ${market} template`, [market], [example])
}

const exportRequests = route(exportBidRequests, async ({ own, nowMs, query }) => {
  const { content, licenseId, market, requestId } = query
  const file = await own(async (tx, customerId) => {
    if (licenseId !== undefined) await getLicence(tx, customerId, licenseId)
    if (content === 'template') return exportTemplate(tx, customerId, market ?? '', nowMs)
    const names = await findNames(tx, customerId)
    const ids = await findRequestIds(tx, customerId, { ...query, today: today(nowMs) }, requestId)
    const requests = selectRows(tx, customerId, 'bid_request', requestId === undefined ? {} : { request_id: requestId })
    const stored = market === undefined ? await requests.select('market').distinct().execute() : [{ market }]
    const markets = stored.map((row) => row.market).toSorted()
    const name = ['Bid requests', market ?? '', today(nowMs)].filter((part) => part !== '').join(' ')
    return requestsFile(name, markets, readRows(own, ids, names))
  })
  return { file }
})

const sent = ownRoute(sentBidFile, async (tx, customerId, { params, query }) => {
  const { market } = await getRequest(tx, customerId, params.id)
  const kept = await selectRows(tx, customerId, 'bid_file', { market, day: query.day, auction: query.auction })
    .select(['name', 'content'])
    .where('name', '<>', '')
    .executeTakeFirstOrThrow(notFound)
  return { kept }
})

export const bidExports = [exportRequests, sent]
