import { expect, test } from 'vitest'
import { BadXml } from '#connectors/xml.ts'
import { parseDayAhead } from './fetch.ts'

const span = { fromMs: Date.parse('2026-11-19T23:00Z'), toMs: Date.parse('2026-11-20T23:00Z') }
const point = (position: number, price: string) =>
  `<Point><position>${position}</position><price.amount>${price}</price.amount></Point>`
const series = (points: string, fields: Record<string, string> = {}) => {
  const {
    contract = 'A01',
    sequence = '1',
    curve = 'A03',
    resolution = 'PT15M',
    currency = 'EUR',
    end = '2026-11-20T01:00Z',
  } = fields
  return `<TimeSeries><contract_MarketAgreement.type>${contract}</contract_MarketAgreement.type><currency_Unit.name>${currency}</currency_Unit.name>${sequence && `<classificationSequence_AttributeInstanceComponent.position>${sequence}</classificationSequence_AttributeInstanceComponent.position>`}<curveType>${curve}</curveType><Period><timeInterval><start>2026-11-19T23:00Z</start><end>${end}</end></timeInterval><resolution>${resolution}</resolution>${points}</Period></TimeSeries>`
}
const document = (...all: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><Publication_MarketDocument xmlns="urn:x"><type>A44</type>${all.join('')}</Publication_MarketDocument>`
const prices = (text: string) => parseDayAhead(text, span).map((row) => row.priceEur)

test('a missing position repeats the one before it (curve A03), to the end of the period', () => {
  const text = document(series(point(1, '12.50') + point(4, '-3.1') + point(6, '7')))
  expect(prices(text)).toEqual(['12.50', '12.50', '12.50', '-3.1', '-3.1', '7', '7', '7'])
  const rows = parseDayAhead(text, span)
  expect(rows.map((row) => row.durationS)).toEqual(Array.from({ length: 8 }, () => 900))
  expect(rows.at(-1)?.startsAtMs).toBe(Date.parse('2026-11-20T00:45Z'))
})

test('in curve A01 a missing position is a hole; hours last an hour', () => {
  const rows = parseDayAhead(
    document(series(point(1, '1') + point(2, '2'), { curve: 'A01', resolution: 'PT60M' })),
    span,
  )
  expect(rows.map((row) => [row.durationS, row.priceEur])).toEqual([
    [3600, '1'],
    [3600, '2'],
  ])
  expect(prices(document(series(point(2, '2'), { curve: 'A01', resolution: 'PT60M' })))).toEqual(['2'])
})

test('intraday series and second auctions are left out; no sequence at all is the first', () => {
  expect(
    prices(
      document(
        series(point(1, '999'), { contract: 'A07' }),
        series(point(1, '888'), { sequence: '2' }),
        series(point(1, '5')),
      ),
    ),
  ).toEqual(Array.from({ length: 8 }, () => '5'))
  expect(prices(document(series(point(1, '5'), { sequence: '' })))).toHaveLength(8)
})

test('only what lies within the span that was asked for', () => {
  const text = document(series(point(1, '5')))
  expect(parseDayAhead(text, { ...span, fromMs: Date.parse('2026-11-20T00:30Z') })).toHaveLength(2)
})

const acknowledgement = (code: string) =>
  `<Acknowledgement_MarketDocument><Reason><code>${code}</code><text>Why</text></Reason></Acknowledgement_MarketDocument>`

test('reason 999 is no data, any other reason a refusal', () => {
  expect(prices(acknowledgement('999'))).toEqual([])
  expect(() => prices(acknowledgement('100'))).toThrow('refused: Why')
})

test.each([
  ['another currency', document(series(point(1, '5'), { currency: 'PLN' }))],
  ['another resolution', document(series(point(1, '5'), { resolution: 'PT30M' }))],
  ['a curve that is not known', document(series(point(1, '5'), { curve: 'A02' }))],
  ['position 0', document(series(point(0, '5')))],
  ['a position behind the end', document(series(point(9, '5')))],
  ['a price that is none', document(series(point(1, 'NaN')))],
  ['an interval that ends before it starts', document(series(point(1, '5'), { end: '2026-11-19T22:00Z' }))],
  ['another document', '<Balancing_MarketDocument/>'],
  ['a web page', '<html><body>Down</body></html>'],
])('L4 %s refuses the whole body', (_, text) => {
  expect(() => prices(text)).toThrow(BadXml)
})
