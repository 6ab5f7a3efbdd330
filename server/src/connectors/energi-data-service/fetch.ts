import { ask, failure, type AskOptions, type Failure } from '#connectors/fetch-text.ts'
import { datasets, type Dataset, type DatasetName } from './datasets.ts'
import { tariffType, type ParsedRows } from './parse.ts'
import { parseInThread } from './parse-thread.ts'
import { publishing } from './publishing.ts'

export const sourceName = 'energi-data-service'

type Success = ParsedRows & { ok: true; httpStatus: number }
export type Fetched = (Success | Failure) & { url: string }

export type FetchRequest = {
  dataset: DatasetName
  fromUtc: Date
  /** Exclusive. */
  toUtc: Date
  areas: readonly string[]
  /** EDS_URL, the only host that is contacted. */
  baseUrl: string
  /** Filtered here instead: the source has refused filtered requests with 403. */
  withoutFilter?: boolean
  mayBeEmpty?: boolean
} & AskOptions

const hours = Array.from({ length: 24 }, (_, hour) => `Price${hour + 1}`)

/** Requested columns; the others would be half of each body. */
const columnsOf = ({ timeColumn, areaColumn, content }: Dataset): string[] => {
  const where = [timeColumn, ...(areaColumn ? [areaColumn] : [])]
  if (content.kind === 'samples') return [...where, content.column]
  if (content.kind === 'tariffs')
    return [
      'ChargeOwner',
      'GLN_Number',
      'ChargeType',
      'ChargeTypeCode',
      'Note',
      timeColumn,
      'ValidTo',
      ...hours,
      'ResolutionDuration',
    ]
  const read = content.prices.flatMap(({ only, noneWithout, eur, dkk, volume }) => [
    only?.[0],
    content.auctionColumn,
    noneWithout,
    eur,
    dkk,
    volume,
  ])
  return [...new Set([...where, ...read.filter((column) => column !== undefined)])]
}

const filterOf = ({ areaColumn, content }: Dataset, areas: readonly string[]): object | null => {
  if (content.kind === 'tariffs') return { ChargeType: [tariffType] }
  return areaColumn ? { [areaColumn]: areas } : null
}

/** `start` and `end` are UTC to the minute. One request covers all areas, because the limit is one per minute. */
export const requestUrl = (request: FetchRequest): URL => {
  const dataset = datasets[request.dataset]
  const filter = request.withoutFilter ? null : filterOf(dataset, request.areas)
  const url = new URL(`${request.baseUrl.replace(/\/$/, '')}/dataset/${request.dataset}`)
  const minute = (at: Date) => at.toISOString().slice(0, 16)
  url.search = new URLSearchParams({
    timezone: 'UTC',
    start: minute(request.fromUtc),
    end: minute(request.toUtc),
    columns: columnsOf(dataset).join(','),
    ...(filter ? { filter: JSON.stringify(filter) } : {}),
    sort: [dataset.timeColumn, ...(dataset.areaColumn ? [dataset.areaColumn] : [])]
      .map((one) => `${one} asc`)
      .join(','),
    limit: '0',
  }).toString()
  return url
}

const isEmpty = ({ prices, samples, tariffs }: ParsedRows): boolean =>
  tariffs.length === 0 &&
  !prices.some(({ priceEur, priceDkk }) => priceEur !== null || priceDkk !== null) &&
  !samples.some(({ value }) => value !== null)

/** Some datasets have days and months without an auction; for any other an empty answer is a failure. */
const mayBeEmpty = (dataset: DatasetName): boolean => {
  const schedule = publishing[dataset]
  return schedule.kind === 'ahead' && schedule.isOccasional === true
}

/** Unfiltered answers are longer: the price list has three kinds of charges, a reserve market six times the areas. */
const unfilteredBytes = 40_000_000

/** One request. Never throws: an invalid answer is a failure with a kind. The limiter spaces the requests. */
export const fetchDataset = async (request: FetchRequest): Promise<Fetched> => {
  const { dataset, fromUtc, toUtc, areas, withoutFilter } = request
  const url = requestUrl(request)
  const answer = await ask(url, { ...(withoutFilter ? { maxBytes: unfilteredBytes } : {}), ...request })
  if (!answer.ok) return { ...answer, url: url.href }
  const { httpStatus } = answer
  const requested = { fromMs: fromUtc.getTime(), toMs: toUtc.getTime(), areas, withoutFilter: withoutFilter ?? false }
  const parsed = await parseInThread(answer.text, dataset, requested)
  if (!parsed.ok) return { ...parsed, httpStatus, retryAfterMs: null, url: url.href }
  if (isEmpty(parsed) && !request.mayBeEmpty && !mayBeEmpty(dataset))
    return {
      ...failure('empty', `${parsed.prices.length + parsed.samples.length} rows, none with a value`, httpStatus),
      url: url.href,
    }
  return { ...parsed, httpStatus, url: url.href }
}
