import { exportBidRequests, sentBidFile } from '@gridmast/contract/trading/bid-files.ts'
import { energyPriced, firstOpenDay, requestSlots } from '@gridmast/contract/bid-slots.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { getLicence } from '#access/licence.ts'
import { route } from '#context.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import type { Cell, Column, TableFile } from '#platform/files/table-file.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { getRequest } from './basis-queries.ts'
import { findGates, findRequestIds, findRequestsByIds, isBiddingMarket, type RequestRow } from './queries.ts'
import { slotHeading, slotHours, type SlotKind, slotKinds } from './request-file.ts'

/** Writes requests in the form that the import reads. The form: request-file.md. */

type Shown = Omit<RequestRow, 'request_id' | 'licence_id' | 'instance_id' | 'created_at' | 'updated_at'> & {
  licence: string
}
type SlotColumn = { kind: SlotKind; hour: number }

const slotColumns = (markets: readonly string[]): SlotColumn[] => {
  const hours = [...new Set(markets.flatMap(slotHours))].toSorted((a, b) => a - b)
  const kinds = slotKinds.filter((kind) => kind !== 'regulationPrice' || markets.some(energyPriced))
  return kinds.flatMap((kind) => hours.map((hour) => ({ kind, hour })))
}

const columnsOf = (slots: readonly SlotColumn[]): Column[] => [
  { header: 'License' },
  { header: 'Instance', width: 28 },
  { header: 'Market', width: 12 },
  { header: 'Start Date', holds: 'days', width: 12 },
  { header: 'End Date', holds: 'days', width: 12 },
  { header: 'Custom bidding', width: 14 },
  { header: 'Note', width: 36 },
  { header: 'Excluded day', holds: 'days', width: 12 },
  { header: 'Reason' },
  { header: 'Status', width: 10 },
  ...slots.map(({ kind, hour }) => ({ header: slotHeading(kind, hour), width: 14 })),
]

const rowsOf = (row: Shown, slots: readonly SlotColumn[]): Cell[][] => {
  const own = slotHours(row.market)
  const lists = { capacity: row.capacity_mw, price: row.price_eur, regulationPrice: row.regulation_price_eur }
  const value = ({ kind, hour }: SlotColumn): Cell => {
    const text = row.custom_bidding ? lists[kind]?.[own.indexOf(hour)] : undefined
    return text === undefined ? null : Number(text)
  }
  const [first, ...further] = row.excluded_days
  return [
    [
      row.licence,
      row.instance_name,
      row.market,
      row.start_date,
      row.end_date,
      row.custom_bidding ? 'yes' : 'no',
      row.note,
      first?.date ?? null,
      first?.reason ?? null,
      row.status,
      ...slots.map(value),
    ],
    ...further.map(({ date, reason }) => [
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      date,
      reason,
      null,
      ...slots.map(() => null),
    ]),
  ]
}

const tableOf = (fileName: string, markets: readonly string[], rows: AsyncIterable<Shown> | Iterable<Shown>) => {
  const slots = slotColumns(markets)
  const written = async function* (): AsyncGenerator<Cell[]> {
    for await (const row of rows) yield* rowsOf(row, slots)
  }
  return { fileName, sheet: 'Bid requests', columns: columnsOf(slots), rows: written() } satisfies TableFile
}

/** Names of instances, by id: the id itself where two have the same name, since the import could not tell them apart. */
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

/** A batch at a time, each in a transaction of its own: whoever takes the file slowly holds up nobody. */
const readRows = async function* (own: Own['own'], ids: readonly string[], { licenceNames, names }: Names) {
  for (let i = 0; i < ids.length; i += batch)
    for (const row of await own((tx, customerId) => findRequestsByIds(tx, customerId, ids.slice(i, i + batch))))
      yield {
        ...row,
        licence: licenceNames.get(row.licence_id) ?? '',
        instance_name: names.get(row.instance_id) ?? row.instance_name,
      }
}

/** One request of the first instance of the market, on the first day that is open. */
const exampleOf = async (tx: Tx, market: string, { instances, licenceNames, names }: Names, nowMs: number) => {
  const instance = instances.find((one) => one.enabled && one.markets.includes(market))
  const [day, slots] = [firstOpenDay(await findGates(tx, market), nowMs), requestSlots(market) ?? 0]
  const list = (value: string) => Array.from({ length: slots }, () => value)
  const example: Shown = {
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
  return example
}

const exportRequests = route(exportBidRequests, async ({ own, nowMs, query }) => {
  const { content, licenseId, market, requestId } = query
  const found = await own(async (tx, customerId) => {
    if (licenseId !== undefined) await getLicence(tx, customerId, licenseId)
    const names = await findNames(tx, customerId)
    if (content === 'template') {
      const wanted = market ?? ''
      if (requestSlots(wanted) === null || !(await isBiddingMarket(tx, customerId, wanted)))
        throw invalid({ market: m.marketNotSupported })
      return { names, ids: [], markets: [wanted], example: await exampleOf(tx, wanted, names, nowMs) }
    }
    const ids = await findRequestIds(tx, customerId, { ...query, today: today(nowMs) }, requestId)
    const asked = selectRows(tx, customerId, 'bid_request').select('market').distinct()
    const one = requestId === undefined ? asked : asked.where('request_id', '=', requestId)
    const markets = market === undefined ? (await one.execute()).map((row) => row.market) : [market]
    return { names, ids, markets, example: null }
  })
  const { names, ids, markets, example } = found
  if (example) return { file: tableOf(`Bid requests ${markets[0] ?? ''} template`, markets, [example]) }
  const name = ['Bid requests', market ?? '', today(nowMs)].filter((part) => part !== '').join(' ')
  return { file: tableOf(name, markets.toSorted(), readRows(own, ids, names)) }
})

const sent = route(sentBidFile, ({ own, params, query }) =>
  own(async (tx, customerId) => {
    const { market } = await getRequest(tx, customerId, params.id)
    const kept = await selectRows(tx, customerId, 'bid_file', { market, day: query.day, auction: query.auction })
      .select(['name', 'content'])
      .where('name', '<>', '')
      .executeTakeFirstOrThrow(notFound)
    return { kept }
  }),
)

export const bidExports = [exportRequests, sent]
