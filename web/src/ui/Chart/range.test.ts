import { dayMs, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { parseInterval, rangeOf, intervalText, linkTo } from './range.ts'
import { rangeSearch } from './range-search.ts'
import { spanWords } from './range-words.ts'

const at = (iso: string) => Date.parse(iso)
const nowMs = at('2026-11-20T10:17:31Z')

test('a relative range ends at the next step and has its length', () => {
  const lengthMs = (range: string) => {
    const { fromMs = 0, toMs = 0 } = rangeOf(range, nowMs)?.span ?? {}
    expect(toMs).toBeGreaterThanOrEqual(nowMs)
    return toMs - fromMs
  }
  expect(['1h', '6h', '24h', '7d', '30d'].map(lengthMs)).toEqual([hourMs, 6 * hourMs, dayMs, 7 * dayMs, 30 * dayMs])
  expect(rangeOf('1h', nowMs)?.span.toMs).toBe(at('2026-11-20T10:18:00Z'))
})

test('this month begins at its local midnight, also in its first minute', () => {
  expect(rangeOf('month', nowMs)?.span.fromMs).toBe(at('2026-10-31T23:00:00Z'))
  const firstMs = at('2026-10-31T23:00:00Z')
  expect(rangeOf('month', firstMs)?.span).toEqual({ fromMs: firstMs, toMs: firstMs + hourMs })
})

test('an interval is whole seconds, and what is no interval of 5 s to 400 days is dropped from the URL', () => {
  const span = { fromMs: nowMs, toMs: nowMs + minuteMs }
  expect(intervalText(span)).toBe('2026-11-20T10:17:31Z/2026-11-20T10:18:31Z')
  expect(parseInterval(intervalText({ fromMs: nowMs + 0.4, toMs: nowMs + minuteMs - 0.4 }))).toEqual(span)
  const wrong = [
    '2026-11-20T10:18:31Z/2026-11-20T10:17:31Z',
    '2026-11-20T10:17:31Z/2026-11-20T10:17:32Z',
    '2026-13-20T10:17:31Z/2026-13-21T10:17:31Z',
    '2025-01-01T00:00:00Z/2026-11-20T10:17:31Z',
    '2h',
    '<b>',
    7,
  ]
  for (const range of wrong) {
    const text = rangeSearch.parse({ range }).range
    expect(text === undefined ? null : rangeOf(text, nowMs)).toBeNull()
  }
  expect(rangeSearch.parse({ range: '24h', zoom: intervalText(span) })).toEqual({
    range: '24h',
    zoom: intervalText(span),
  })
})

test('an interval has at most the days of its screen, with the hour that October adds', () => {
  expect(parseInterval('2026-10-01T00:00:00Z/2026-11-01T00:00:00Z', 31)).not.toBeNull()
  expect(parseInterval('2026-09-30T22:00:00Z/2026-10-31T23:00:00Z', 31)).not.toBeNull()
  expect(parseInterval('2026-09-30T22:00:00Z/2026-10-31T23:00:01Z', 31)).toBeNull()
  expect(parseInterval('2026-07-31T22:00:00Z/2026-08-31T23:00:00Z', 31)).toBeNull()
})

test('a copied link has the shown span instead of a relative range and a zoom', () => {
  const span = { fromMs: nowMs, toMs: nowMs + minuteMs }
  const href = 'https://portal.example/e3-App/FCR?range=24h&zoom=x&subTab=consumption'
  const link = new URL(linkTo(href, { span, zoom: null, onZoom: () => {} }))
  expect(Object.fromEntries(link.searchParams)).toEqual({ range: intervalText(span), subTab: 'consumption' })
  expect(linkTo(href, null)).toBe(href)
  const ofDay = new URL(linkTo(href, { span, zoom: null, onZoom: () => {}, place: { date: '2026-11-20' } }))
  expect(Object.fromEntries(ofDay.searchParams)).toMatchObject({ date: '2026-11-20' })
})

test('a span in words: a day, a repeated hour, days and midnights', () => {
  const words = (from: string, to: string) => spanWords({ fromMs: at(from), toMs: at(to) })
  expect(words('2026-11-20T09:00:00Z', '2026-11-20T11:00:00Z')).toBe('20.11.2026 10:00–12:00')
  expect(words('2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z')).toBe('20.11.2026 00:00–24:00')
  expect(words('2026-11-19T09:00:00Z', '2026-11-20T11:00:00Z')).toBe('19.11.2026 10:00 – 20.11.2026 12:00')
  expect(words('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z')).toBe('25.10.2026 02:30A–02:30B')
})
