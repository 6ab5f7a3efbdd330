import { hourMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import { BadXml, childrenOf, parseXml, textAt, type Element } from '#connectors/xml.ts'

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
