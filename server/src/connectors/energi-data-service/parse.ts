import type { Dataset, PriceColumns } from './datasets.ts'
import { BadRow, rowReader, unwrap, type RowReader, type Unfit } from './records.ts'

/** A published price: decimal text exactly as in the body, per `unit`; null as published. */
export type PriceRow = {
  market: string
  area: string
  product: string
  auction: string
  startsAtMs: number
  durationS: number
  priceEur: string | null
  priceDkk: string | null
  volumeMw: string | null
  unit: string
}

export type Sample = { area: string; atMs: number; value: number | null }

/** A tariff of a grid company or of Energinet in DKK/kWh without VAT, valid for local days `[validFrom, validTo)`. */
export type Tariff = {
  ownerGln: string
  ownerName: string
  chargeType: string
  code: string
  name: string
  validFrom: string
  validTo: string | null
  resolution: string
  /** By local hour, 00–01 first. */
  prices: readonly string[]
}

/** One of the three lists has rows, depending on the kind of the dataset. */
export type ParsedRows = { prices: PriceRow[]; samples: Sample[]; tariffs: Tariff[]; warnings: string[] }

export type Parsed = ({ ok: true } & ParsedRows) | Unfit

/** The requested half-open span and areas; without a filter in the request, areas are filtered here. */
export type RequestedRows = { fromMs: number; toMs: number; areas: readonly string[]; withoutFilter?: boolean }

const nothing: ParsedRows = { prices: [], samples: [], tariffs: [], warnings: [] }

/**
 * Parses a body, all or nothing: one bad record refuses it, so that no partial day is stored. Rows outside of the request are omitted with a
 * warning.
 */
export const parseBody = (text: string, dataset: Dataset, requested: RequestedRows): Parsed => {
  const body = unwrap(text)
  if (!body.ok) return body
  try {
    const { content } = dataset
    if (content.kind === 'tariffs') return { ok: true, ...readTariffs(body.records) }
    const omitted = { foreign: 0, repeated: 0 }
    const rows = readRequested(body.records, dataset, requested, omitted)
    const read: ParsedRows =
      content.kind === 'samples'
        ? { ...nothing, samples: readSamples(rows, content.column, omitted) }
        : readPrices(rows, dataset, content, omitted)
    const warnings = [
      ...(omitted.foreign > 0 && !requested.withoutFilter ? [`${omitted.foreign} rows outside of the request`] : []),
      ...(omitted.repeated > 0 ? [`${omitted.repeated} repeated rows`] : []),
      ...read.warnings,
    ]
    return { ok: true, ...read, warnings }
  } catch (error) {
    if (error instanceof BadRow || error instanceof RangeError)
      return { ok: false, kind: 'schema', detail: error.message }
    throw error
  }
}

const hours = Array.from({ length: 24 }, (_, hour) => `Price${hour + 1}`)

/** Only prices per kWh are kept, not subscriptions or fees. */
export const tariffType = 'D03'

/** Hours without a price have the price of the first hour (domain notes, section 1.3); without that one the row is null. */
const readTariff = (row: RowReader): Tariff | null => {
  const [first = null, ...rest] = hours.map((column) => row.decimal(column))
  if (first === null) return null
  return {
    ownerGln: row.text('GLN_Number', 'a location number'),
    ownerName: row.text('ChargeOwner', 'the name of an owner'),
    chargeType: row.text('ChargeType', 'D01, D02 or D03'),
    code: row.text('ChargeTypeCode', 'a code'),
    name: row.optionalText('Note') ?? '',
    validFrom: row.day('ValidFrom'),
    validTo: row.optionalDay('ValidTo'),
    resolution: row.text('ResolutionDuration', 'P1D, PT1H or P1M'),
    prices: [first, ...rest.map((one) => one ?? first)],
  }
}

const readTariffs = (records: unknown[]): ParsedRows => {
  const rows = records
    .map((record, i) => rowReader(record, i))
    .filter((row) => row.text('ChargeType', 'D01, D02 or D03') === tariffType)
  const tariffs = rows.map(readTariff).filter((one) => one !== null)
  const empty = rows.length - tariffs.length
  return { ...nothing, tariffs, warnings: empty > 0 ? [`${empty} rows without a price`] : [] }
}

type Omitted = { foreign: number; repeated: number }
type RequestedRow = { index: number; row: RowReader; area: string; startsAtMs: number }

const readRequested = (
  records: unknown[],
  dataset: Dataset,
  requested: RequestedRows,
  omitted: Omitted,
): RequestedRow[] => {
  const rows: RequestedRow[] = []
  records.forEach((record, index) => {
    const row = rowReader(record, index)
    const startsAtMs = row.instantMs(dataset.timeColumn)
    const area =
      dataset.areaColumn === null ? (dataset.areas[0] ?? '') : row.text(dataset.areaColumn, 'the name of an area')
    const isRequested = startsAtMs >= requested.fromMs && startsAtMs < requested.toMs && requested.areas.includes(area)
    if (isRequested) rows.push({ index, row, area, startsAtMs })
    else omitted.foreign++
  })
  return rows
}

const readSamples = (rows: RequestedRow[], column: string, omitted: Omitted): Sample[] => {
  const byKey = new Map<string, Sample>()
  for (const { index, row, area, startsAtMs } of rows) {
    const text = row.decimal(column)
    const value = text === null ? null : Number(text)
    const key = `${area} ${startsAtMs}`
    const before = byKey.get(key)
    if (before && before.value !== value) throw new BadRow(`record ${index}: two values for ${area} at one instant`)
    if (before) omitted.repeated++
    byKey.set(key, { area, atMs: startsAtMs, value })
  }
  return [...byKey.values()].toSorted((a, b) => compare(a.area, b.area) || a.atMs - b.atMs)
}

const readPrices = (
  requestedRows: RequestedRow[],
  dataset: Dataset,
  content: Extract<Dataset['content'], { kind: 'prices' }>,
  omitted: Omitted,
): ParsedRows => {
  const bySeries = new Map<string, Map<number, PriceRow>>()
  let unread = 0
  for (const one of requestedRows) {
    const auction = content.auctionColumn ? one.row.text(content.auctionColumn, 'the name of an auction') : ''
    const columnsOfRow = content.prices.filter(({ only }) => !only || one.row.optionalText(only[0]) === only[1])
    if (columnsOfRow.length === 0) unread++
    columnsOfRow.forEach((columns, i) => {
      const price = readPrice(one, columns, auction)
      const name = `${price.market} ${price.area} ${price.product} ${price.auction}`
      const series = bySeries.get(name) ?? new Map<number, PriceRow>()
      bySeries.set(name, series)
      const before = series.get(price.startsAtMs)
      if (before && (before.priceEur !== price.priceEur || before.priceDkk !== price.priceDkk))
        throw new BadRow(
          `record ${one.index}: two prices for ${price.area} at ${new Date(price.startsAtMs).toISOString()}`,
        )
      if (before && i === 0) omitted.repeated++
      series.set(price.startsAtMs, price)
    })
  }
  const rows = [...bySeries]
    .toSorted(([a], [b]) => compare(a, b))
    .flatMap(([, series]) => {
      const inOrder = [...series.values()].toSorted((a, b) => a.startsAtMs - b.startsAtMs)
      return inOrder.map((row, i) => ({
        ...row,
        durationS: dataset.durationMs(row.startsAtMs, inOrder[i + 1]?.startsAtMs) / 1000,
      }))
    })
  const empty = rows.filter((row) => row.priceEur === null && row.priceDkk === null).length
  return {
    ...nothing,
    prices: rows,
    warnings: [
      ...(unread > 0 ? [`${unread} rows of products that are not read`] : []),
      ...(empty > 0 ? [`${empty} rows without a price`] : []),
      ...(content.auctionColumn ? auctionWarnings(rows) : []),
    ],
  }
}

const readPrice = ({ row, area, startsAtMs }: RequestedRow, columns: PriceColumns, auction: string): PriceRow => {
  const decimal = (column: string | undefined) => (column ? row.decimal(column) : null)
  const isNone = columns.noneWithout !== undefined && Number(row.decimal(columns.noneWithout) ?? 0) === 0
  // Read even when there is no price, so that a renamed column is noticed.
  const [eur, dkk] = [decimal(columns.eur), decimal(columns.dkk)]
  return {
    market: columns.market,
    area,
    product: columns.product ?? '',
    auction,
    startsAtMs,
    durationS: 0,
    priceEur: isNone && Number(eur) === 0 ? null : eur,
    priceDkk: isNone && Number(dkk) === 0 ? null : dkk,
    volumeMw: decimal(columns.volume),
    unit: columns.unit,
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Published means have six decimals and volumes one; smaller differences are rounding. */
const toleranceEur = 0.01

const total = 'Total'

/** A `Total` should be the mean of its auctions, weighted by volume; a deviation gives one warning with the first case. */
const auctionWarnings = (rows: readonly PriceRow[]): string[] => {
  const bySlot = Map.groupBy(rows, (row) => `${row.market} ${row.area} ${new Date(row.startsAtMs).toISOString()}`)
  const off = [...bySlot].flatMap(([slot, auctions]) => {
    const published = auctions.find((row) => row.auction === total)
    const mean = weightedMean(auctions.filter((row) => row.auction !== total))
    if (!published || published.priceEur === null || mean === null) return []
    return Math.abs(Number(published.priceEur) - mean) > toleranceEur
      ? [`${slot}: ${published.priceEur} instead of ${mean.toFixed(6)}`]
      : []
  })
  return off.length > 0 ? [`${off.length} totals are not the weighted mean of their auctions: ${off[0]}`] : []
}

/** Null without volume or with a missing price. For the check only: stored values stay decimal text. */
const weightedMean = (auctions: readonly PriceRow[]): number | null => {
  let [volume, sum] = [0, 0]
  for (const { priceEur, volumeMw } of auctions) {
    if (volumeMw === null) return null
    if (Number(volumeMw) === 0) continue
    if (priceEur === null) return null
    volume += Number(volumeMw)
    sum += Number(volumeMw) * Number(priceEur)
  }
  return volume > 0 ? sum / volume : null
}
