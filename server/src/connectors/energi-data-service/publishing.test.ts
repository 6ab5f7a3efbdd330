import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { datasetNames } from './datasets.ts'
import { expectedUntil, isDue, nextDue, publishing, requestWindow, type SourceState } from './publishing.ts'

const noon = Date.parse('2026-11-20T11:30:00Z') // 12:30 local
const never: SourceState = { lastSuccessMs: null, lastRequestMs: null, coveredUntilMs: null, newestMs: null }
const fresh: SourceState = {
  lastSuccessMs: noon - 10 * minuteMs,
  coveredUntilMs: Date.parse('2026-11-20T23:00:00Z'),
  newestMs: Date.parse('2026-11-20T23:00:00Z'),
  lastRequestMs: noon - 10 * minuteMs,
}

test('what was never fetched is due at once, a closed set never', () => {
  for (const name of datasetNames) expect(isDue(publishing[name], never, noon)).toBe(name !== 'Elspotprices')
})

describe('sets that publish tomorrow in one piece', () => {
  const dayAhead = publishing.DayAheadPrices

  test('due: an hour old, or tomorrow missing from 12:45 local on, every two minutes', () => {
    expect(isDue(dayAhead, fresh, noon)).toBe(false)
    expect(isDue(dayAhead, fresh, noon + 14 * minuteMs)).toBe(false)
    expect(isDue(dayAhead, fresh, noon + 15 * minuteMs)).toBe(true)
    const asked = { ...fresh, lastRequestMs: noon + 14 * minuteMs }
    expect(isDue(dayAhead, asked, noon + 15 * minuteMs)).toBe(false)
    expect(nextDue(dayAhead, asked, noon + 15 * minuteMs)).toBe(noon + 16 * minuteMs)
    const complete = { ...fresh, coveredUntilMs: Date.parse('2026-11-21T23:00:00Z') }
    expect(isDue(dayAhead, complete, noon + 49 * minuteMs)).toBe(false)
    expect(isDue(dayAhead, complete, noon + 50 * minuteMs)).toBe(true)
  })

  test('tomorrow counts as missing from 13:30 on; its end is the end of the local day', () => {
    expect(expectedUntil(dayAhead, Date.parse('2026-11-20T12:29:00Z'))).toBe(Date.parse('2026-11-20T23:00:00Z'))
    expect(expectedUntil(dayAhead, Date.parse('2026-11-20T12:30:00Z'))).toBe(Date.parse('2026-11-21T23:00:00Z'))
    expect(expectedUntil(dayAhead, Date.parse('2026-10-24T12:00:00Z'))).toBe(Date.parse('2026-10-25T23:00:00Z'))
  })

  test('a set that is published on some days only is never late', () => {
    expect(expectedUntil(publishing.MfrrCapacityMarketExtra, noon)).toBeNull()
    expect(isDue(publishing.MfrrCapacityMarketExtra, fresh, noon + 20 * minuteMs)).toBe(false)
  })
})

test('sets that run are due by their distance and end behind or ahead of now', () => {
  expect(isDue(publishing.CO2Emis, fresh, noon - 6 * minuteMs)).toBe(false)
  expect(isDue(publishing.CO2Emis, fresh, noon - 5 * minuteMs)).toBe(true)
  expect(expectedUntil(publishing.ImbalancePrice, noon)).toBe(noon - hourMs)
  expect(expectedUntil(publishing.CO2EmisProg, noon)).toBe(noon + 6 * hourMs)
})

describe('the window of a request', () => {
  const from = (state: SourceState, nowMs = noon) =>
    new Date(requestWindow(publishing.FcrDK1, state, nowMs).fromMs).toISOString()

  test('two days back; seven for the first request of a local day', () => {
    expect(from(fresh)).toBe('2026-11-17T23:00:00.000Z')
    expect(from({ ...fresh, lastSuccessMs: Date.parse('2026-11-19T22:59:00Z') })).toBe('2026-11-12T23:00:00.000Z')
    expect(from(never)).toBe('2026-11-12T23:00:00.000Z')
  })

  test('from where the data ends after an outage, never more than 30 days in one request', () => {
    const until = (iso: string) => ({ ...fresh, coveredUntilMs: Date.parse(iso), newestMs: Date.parse(iso) })
    expect(from(until('2026-11-01T12:00:00Z'))).toBe('2026-10-31T23:00:00.000Z')
    expect(from(until('2026-01-01T12:00:00Z'))).toBe('2026-10-22T22:00:00.000Z')
    const { fromMs, toMs } = requestWindow(publishing.FcrDK1, until('2026-01-01T12:00:00Z'), noon)
    expect((toMs - fromMs) / (24 * hourMs)).toBeLessThanOrEqual(30 + 1 / 24) // the day in October has 25 hours
  })

  test('it ends with tomorrow, also on the days of 23 and 25 hours', () => {
    const to = (iso: string) => new Date(requestWindow(publishing.FcrDK1, never, Date.parse(iso)).toMs).toISOString()
    expect(to('2026-03-28T12:00:00Z')).toBe('2026-03-29T22:00:00.000Z')
    expect(to('2026-10-24T12:00:00Z')).toBe('2026-10-25T23:00:00.000Z')
  })

  test('a list is asked for whole years', () => {
    const { fromMs, toMs } = requestWindow(publishing.DatahubPricelist, never, noon)
    expect([new Date(fromMs).toISOString(), new Date(toMs).toISOString()]).toEqual([
      '2024-12-31T23:00:00.000Z',
      '2027-12-31T23:00:00.000Z',
    ])
  })
})
