import { expect, test } from 'vitest'
import { exchangeWords, sourceWords } from './format.ts'

test('the licence is shown with recorded data only; simulated data is credited to no source', () => {
  const recorded = { name: 'Energi Data Service', dataset: 'FcrDK1', licence: 'Energinet CC BY 4.0', simulated: false }
  expect(sourceWords(recorded)).toBe('Source: Energi Data Service, FcrDK1 · Energinet CC BY 4.0')
  expect(sourceWords({ ...recorded, simulated: true })).toBe('Source: Simulated (FcrDK1)')
  expect(sourceWords({ name: 'ENTSO-E', dataset: 'A44 SE1', licence: null, simulated: false })).toBe(
    'Source: ENTSO-E, A44 SE1',
  )
})

test('the rate of a conversion with its day, or the central rate', () => {
  expect(exchangeWords({ dkkPerEur: '7.4604', day: '2026-11-20' })).toBe('1 EUR = 7,4604 DKK, 20.11.2026')
  expect(exchangeWords({ dkkPerEur: '7.46038', day: null })).toBe('1 EUR = 7,46038 DKK, the central rate')
  expect(exchangeWords(null)).toBe('')
})
