import type { Dataset, PriceColumns } from './datasets.ts'
import { BadRow, rowReader, unwrap, type RowReader, type Unfit } from './records.ts'
import { auctionWarnings } from './totals.ts'
import { readTariff, type Tariff } from './tariffs.ts'

/** One published price. Numbers are decimal text exactly as in the body, prices per `unit`; null was published as null. */
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

/** One measured value of a public series. */
export type Sample = { area: string; atMs: number; value: number | null }

/** What a body holds: one of the three, by the kind of the dataset. */
export type Found = { prices: PriceRow[]; samples: Sample[]; tariffs: Tariff[]; warnings: string[] }

export type Parsed = ({ ok: true } & Found) | Unfit

/** What was asked for: half-open instants, and areas. */
export type Asked = { fromMs: number; toMs: number; areas: readonly string[] }

const nothing: Found = { prices: [], samples: [], tariffs: [], warnings: [] }

/**
 * What a body holds, in order, or why it cannot be trusted. All or nothing: one bad record refuses the whole body, so that half a day
 * is never written. Rows that were not asked for are left out with a warning.
 */
export const parseBody = (text: string, dataset: Dataset, asked: Asked): Parsed => {
  const body = unwrap(text)
  if (!body.ok) return body
  try {
    const { content } = dataset
    if (content.kind === 'tariffs') return { ok: true, ...readTariffs(body.records) }
    const left = { foreign: 0, repeated: 0 }
    const wanted = readAsked(body.records, dataset, asked, left)
    const found: Found =
      content.kind === 'samples'
        ? { ...nothing, samples: readSamples(wanted, content.column, left) }
        : readPrices(wanted, dataset, content, left)
    const warnings = [
      ...(left.foreign > 0 ? [`${left.foreign} rows that were not asked for`] : []),
      ...(left.repeated > 0 ? [`${left.repeated} rows stood twice`] : []),
      ...found.warnings,
    ]
    return { ok: true, ...found, warnings }
  } catch (error) {
    if (error instanceof BadRow || error instanceof RangeError)
      return { ok: false, kind: 'schema', detail: error.message }
    throw error
  }
}

const readTariffs = (records: unknown[]): Found => {
  const tariffs = records.map((record, i) => readTariff(rowReader(record, i))).filter((one) => one !== null)
  const empty = records.length - tariffs.length
  return { ...nothing, tariffs, warnings: empty > 0 ? [`${empty} rows without a price`] : [] }
}

type Left = { foreign: number; repeated: number }
type Wanted = { index: number; row: RowReader; area: string; startsAtMs: number }

const readAsked = (records: unknown[], dataset: Dataset, asked: Asked, left: Left): Wanted[] => {
  const wanted: Wanted[] = []
  records.forEach((record, index) => {
    const row = rowReader(record, index)
    const startsAtMs = row.instantMs(dataset.timeColumn)
    const area =
      dataset.areaColumn === null ? (dataset.areas[0] ?? '') : row.text(dataset.areaColumn, 'the name of an area')
    const isAsked = startsAtMs >= asked.fromMs && startsAtMs < asked.toMs && asked.areas.includes(area)
    if (isAsked) wanted.push({ index, row, area, startsAtMs })
    else left.foreign++
  })
  return wanted
}

const readSamples = (wanted: Wanted[], column: string, left: Left): Sample[] => {
  const byKey = new Map<string, Sample>()
  for (const { index, row, area, startsAtMs } of wanted) {
    const text = row.decimal(column)
    const value = text === null ? null : Number(text)
    const key = `${area} ${startsAtMs}`
    const before = byKey.get(key)
    if (before && before.value !== value) throw new BadRow(`record ${index}: two values for ${area} at one instant`)
    if (before) left.repeated++
    byKey.set(key, { area, atMs: startsAtMs, value })
  }
  return [...byKey.values()].toSorted((a, b) => compare(a.area, b.area) || a.atMs - b.atMs)
}

const readPrices = (
  wanted: Wanted[],
  dataset: Dataset,
  content: Extract<Dataset['content'], { kind: 'prices' }>,
  left: Left,
): Found => {
  const bySeries = new Map<string, Map<number, PriceRow>>()
  let unread = 0
  for (const one of wanted) {
    const auction = content.auctionColumn ? one.row.text(content.auctionColumn, 'the name of an auction') : ''
    const given = content.prices.filter(({ only }) => !only || one.row.optionalText(only[0]) === only[1])
    if (given.length === 0) unread++
    given.forEach((columns, i) => {
      const price = readPrice(one, columns, auction)
      const name = `${price.market} ${price.area} ${price.product} ${price.auction}`
      const series = bySeries.get(name) ?? new Map<number, PriceRow>()
      bySeries.set(name, series)
      const before = series.get(price.startsAtMs)
      if (before && (before.priceEur !== price.priceEur || before.priceDkk !== price.priceDkk))
        throw new BadRow(
          `record ${one.index}: two prices for ${price.area} at ${new Date(price.startsAtMs).toISOString()}`,
        )
      if (before && i === 0) left.repeated++
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

const readPrice = ({ row, area, startsAtMs }: Wanted, columns: PriceColumns, auction: string): PriceRow => {
  const decimal = (column: string | undefined) => (column ? row.decimal(column) : null)
  const isNone = columns.noneWithout !== undefined && Number(row.decimal(columns.noneWithout) ?? 0) === 0
  // Checked even where the price is none: a renamed column must not pass as silence.
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
