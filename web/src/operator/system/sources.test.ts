import { expect, test } from 'vitest'
import { nameOf, stateOf } from './sources.ts'
import { delayText } from './SourcesTable.tsx'

const source = (lagS: number | null, name = 'Edge edge-nord-01', detail: string | null = null) =>
  stateOf({ source: name, lastSuccess: null, lagS, simulated: false, detail })

test('an edge is fresh for 15 minutes, market data for 26 hours', () => {
  expect(source(900)).toBe('fresh')
  expect(source(901)).toBe('stale')
  expect(source(26 * 3600, 'energi-data-service: DayAheadPrices')).toBe('fresh')
  expect(source(26 * 3600 + 1, 'energi-data-service: DayAheadPrices')).toBe('stale')
})

test('a source that reports an error has failed; one that never reported is silent', () => {
  expect(source(1, undefined, '429')).toBe('failed')
  expect(source(null, undefined, '429')).toBe('failed')
  expect(source(null)).toBe('silent')
})

test('published data that ends more than two hours too early is stale, though its source answers', () => {
  const late = (lateS: number | null) =>
    stateOf({ source: 'FcrDK1', lastSuccess: null, lagS: 60, simulated: false, detail: null, lateS })
  expect([late(null), late(0), late(7200), late(7201)]).toEqual(['fresh', 'fresh', 'fresh', 'stale'])
})

test('published data is on time regardless of when it was fetched, and late by its missing end; an edge by its last report', () => {
  const delay = (name: string, lagS: number | null, lateS: number | null) =>
    delayText({ source: name, lastSuccess: null, lagS, simulated: false, detail: null, lateS })
  expect(delay('energi-data-service: FcrDK1', 960, 0)).toBe('On time')
  expect(delay('energi-data-service: FcrDK1', 60, 9 * 3600)).toBe('9 h late')
  expect(delay('Edge edge-nord-01', 22 * 60, null)).toBe('22 min')
  expect(delay('entsoe: A44 SE1', null, null)).toBe('–')
})

test.each([
  ['energi-data-service: FcrDK1', 'FCR prices', 'Energi Data Service · FcrDK1'],
  ['entsoe: A44 SE1', 'Day-ahead prices SE1', 'ENTSO-E · A44 SE1'],
  ['energi-data-service: NewSet', 'energi-data-service: NewSet', 'Energi Data Service · NewSet'],
  ['Edge edge-nord-01', 'Edge edge-nord-01', 'MQTT'],
])('%s is %s from %s', (source, words, from) => {
  expect(nameOf(source)).toEqual({ words, from })
})
