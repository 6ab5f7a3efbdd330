import { ask, failure, type AskOptions, type Failure } from '#connectors/fetch-text.ts'
import { BadXml, childrenOf, parseXml, textAt, type Element } from '#connectors/xml.ts'
import { hourMs, quarterMs, type Span } from '@gridmast/contract/time.ts'

/** EUR/MWh as decimal text. */
export type DayAheadRow = { area: string; startsAtMs: number; durationS: number; priceEur: string }

const steps = new Map(Object.entries({ PT15M: quarterMs, PT60M: hourMs }))

/** Day-ahead contracts only (A07 is intraday), and the first auction of several. */
const isDayAhead = (series: Element) => {
  const sequence = textAt(series, 'classificationSequence_AttributeInstanceComponent.position')
  return textAt(series, 'contract_MarketAgreement.type') === 'A01' && (sequence === null || sequence === '1')
}

const instant = (text: string | null): number => {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(text ?? '') ? Date.parse(text ?? '') : NaN
  if (Number.isNaN(ms)) throw new BadXml(`not an instant: ${text}`)
  return ms
}

const readPeriod = (period: Element, isRepeating: boolean): DayAheadRow[] => {
  const [fromMs, toMs] = [
    instant(textAt(period, 'timeInterval', 'start')),
    instant(textAt(period, 'timeInterval', 'end')),
  ]
  const stepMs = steps.get(textAt(period, 'resolution') ?? '')
  if (stepMs === undefined) throw new BadXml(`resolution: ${textAt(period, 'resolution')}`)
  const count = (toMs - fromMs) / stepMs
  if (!Number.isInteger(count) || count < 1 || count > 40_000) throw new BadXml('an interval that makes no sense')
  const byPosition = new Map<number, string>()
  for (const point of childrenOf(period, 'Point')) {
    const position = Number(textAt(point, 'position'))
    const price = textAt(point, 'price.amount') ?? ''
    if (!Number.isInteger(position) || position < 1 || position > count) throw new BadXml(`position: ${position}`)
    if (!/^-?\d{1,7}(\.\d+)?$/.test(price)) throw new BadXml(`price.amount: ${price}`)
    byPosition.set(position, price)
  }
  const rows: DayAheadRow[] = []
  let before: string | undefined
  for (let position = 1; position <= count; position++) {
    const price = byPosition.get(position) ?? (isRepeating ? before : undefined)
    before = price
    if (price !== undefined)
      rows.push({ area: '', startsAtMs: fromMs + (position - 1) * stepMs, durationS: stepMs / 1000, priceEur: price })
  }
  return rows
}

/**
 * Prices of a publication within a span, in order. Curve A03 omits repeated positions. An acknowledgement with reason 999 means no data; any
 * other reason or unknown content throws a BadXml.
 */
export const parseDayAhead = (text: string, { fromMs, toMs }: Span): DayAheadRow[] => {
  const root = parseXml(text)
  if (root.name === 'Acknowledgement_MarketDocument') {
    if (textAt(root, 'Reason', 'code') === '999') return []
    throw new BadXml(`refused: ${textAt(root, 'Reason', 'text')}`)
  }
  if (root.name !== 'Publication_MarketDocument') throw new BadXml(`expected a publication, not ${root.name}`)
  const rows = childrenOf(root, 'TimeSeries')
    .filter(isDayAhead)
    .flatMap((series) => {
      const currency = textAt(series, 'currency_Unit.name')
      if (currency !== 'EUR') throw new BadXml(`currency: ${currency}`)
      const curve = textAt(series, 'curveType')
      if (curve !== 'A01' && curve !== 'A03') throw new BadXml(`curveType: ${curve}`)
      return childrenOf(series, 'Period').flatMap((period) => readPeriod(period, curve === 'A03'))
    })
  const within = rows.filter((row) => row.startsAtMs >= fromMs && row.startsAtMs < toMs)
  const byStart = new Map(within.map((row) => [row.startsAtMs, row]))
  return [...byStart.values()].toSorted((a, b) => a.startsAtMs - b.startsAtMs)
}

export const entsoeSource = 'entsoe'

const domains = {
  DK1: '10YDK-1--------W',
  DK2: '10YDK-2--------M',
  SE1: '10Y1001A1001A44P',
  SE2: '10Y1001A1001A45N',
  SE3: '10Y1001A1001A46L',
  SE4: '10Y1001A1001A47J',
} as const

export type EntsoeArea = keyof typeof domains

type FetchedDayAhead = ({ ok: true; httpStatus: number; rows: DayAheadRow[] } | Failure) & {
  /** Without the token, because it is stored and shown. */
  url: string
}

type EntsoeRequest = {
  baseUrl: string
  token: string
  area: EntsoeArea
  fromMs: number
  toMs: number
} & AskOptions

const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 16).replaceAll(/[-T:]/g, '')

/** Day-ahead prices of one area (document A44). The token is part of the URL; the stored one has `***` instead. */
export const fetchDayAhead = async (request: EntsoeRequest): Promise<FetchedDayAhead> => {
  const domain = domains[request.area]
  const url = new URL(request.baseUrl)
  url.search = new URLSearchParams({
    securityToken: request.token,
    documentType: 'A44',
    in_Domain: domain,
    out_Domain: domain,
    periodStart: stamp(request.fromMs),
    periodEnd: stamp(request.toMs),
  }).toString()
  const masked = new URL(url)
  masked.searchParams.set('securityToken', '***')
  const safe = (text: string) => text.replaceAll(request.token, '***')
  const answer = await ask(url, { ...request, accept: 'application/xml' })
  if (!answer.ok) return { ...answer, detail: safe(answer.detail), url: masked.href }
  const { httpStatus, text } = answer
  try {
    const rows = parseDayAhead(text, request).map((row) => ({ ...row, area: request.area }))
    return { ok: true, httpStatus, url: masked.href, rows }
  } catch (error) {
    if (!(error instanceof BadXml)) throw error
    const kind = /^\s*<(!doctype )?html/i.test(text) ? 'html' : 'schema'
    return { ...failure(kind, safe(error.message), httpStatus), url: masked.href }
  }
}
