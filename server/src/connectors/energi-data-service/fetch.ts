import { ask, type AskOptions, type Failure } from '#connectors/ask.ts'
import { datasets, type Dataset, type DatasetName } from './datasets.ts'
import type { Found } from './parse.ts'
import { parseAside } from './parse-aside.ts'

export const sourceName = 'energi-data-service'

type Success = Found & { ok: true; httpStatus: number }
export type Fetched = (Success | Failure) & { url: string }

export type FetchRequest = {
  dataset: DatasetName
  fromUtc: Date
  /** Exclusive. */
  toUtc: Date
  areas: readonly string[]
  /** EDS_URL: the only host that is ever asked. */
  baseUrl: string
} & AskOptions

const hours = Array.from({ length: 24 }, (_, hour) => `Price${hour + 1}`)

/** The columns that are read: the rest would be half of each body. */
const columnsOf = ({ timeColumn, areaColumn, content }: Dataset): string[] => {
  const where = [timeColumn, ...(areaColumn ? [areaColumn] : [])]
  if (content.kind === 'samples') return [...where, content.column]
  if (content.kind === 'tariffs')
    return [
      ...['ChargeOwner', 'GLN_Number', 'ChargeType', 'ChargeTypeCode', 'Note'],
      ...[timeColumn, 'ValidTo', ...hours, 'ResolutionDuration'],
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
  if (content.kind === 'tariffs') return { ChargeType: ['D03'] }
  return areaColumn ? { [areaColumn]: areas } : null
}

/** The address of one request; `start` and `end` are UTC to the minute. One request asks for all areas, since the limit is one a minute. */
export const requestUrl = (request: Pick<FetchRequest, 'dataset' | 'fromUtc' | 'toUtc' | 'areas' | 'baseUrl'>): URL => {
  const dataset = datasets[request.dataset]
  const filter = filterOf(dataset, request.areas)
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

/** Asks once and never throws: what cannot be trusted comes back as a failure with a kind. Waiting between requests is the limiter's part. */
export const fetchDataset = async (request: FetchRequest): Promise<Fetched> => {
  const url = requestUrl(request)
  const answer = await ask(url, request)
  if (!answer.ok) return { ...answer, url: url.href }
  const { httpStatus } = answer
  const parsed = await parseAside(answer.text, request.dataset, {
    fromMs: request.fromUtc.getTime(),
    toMs: request.toUtc.getTime(),
    areas: request.areas,
  })
  return parsed.ok
    ? { ...parsed, httpStatus, url: url.href }
    : { ...parsed, httpStatus, retryAfterMs: null, url: url.href }
}
