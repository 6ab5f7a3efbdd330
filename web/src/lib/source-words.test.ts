import { expect, test } from 'vitest'
import { exchangeWords, sourceWords } from './source-words.ts'

const t = ((key: string, values: Record<string, string> = {}) =>
  key.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')) as never // a stand-in for i18next

test('the licence of Energinet stands beside its own data only', () => {
  expect(sourceWords({ name: 'Energi Data Service', dataset: 'FcrDK1' }, t)).toBe(
    'Source: Energi Data Service, FcrDK1 · Energinet CC BY 4.0',
  )
  expect(sourceWords({ name: 'ENTSO-E', dataset: 'A44' }, t)).toBe('Source: ENTSO-E, A44')
})

test('the rate of a conversion with its day, or that it is the central rate', () => {
  expect(exchangeWords({ dkkPerEur: '7.4604', day: '2026-11-20' }, t)).toBe('1 EUR = 7,4604 DKK, 20.11.2026')
  expect(exchangeWords({ dkkPerEur: '7.46038', day: null }, t)).toBe('1 EUR = 7,46038 DKK, the central rate')
  expect(exchangeWords(null, t)).toBe('')
})
