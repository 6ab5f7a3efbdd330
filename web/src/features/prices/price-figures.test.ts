import { expect, test } from 'vitest'
import { priceFigures } from './price-figures.ts'

const hour = (start: string, price: string) => ({
  start_time: `2026-11-20T${start}:00:00Z`,
  end_time: `2026-11-20T${start}:59:59Z`,
  price,
})

test('now, lowest, highest and the exact average', () => {
  const prices = [hour('11', '0.1'), hour('12', '-189.10'), hour('13', '0.2'), hour('14', '1233.09')]
  const figures = priceFigures(prices, Date.parse('2026-11-20T13:30:00Z'))
  expect(figures?.now?.price).toBe('0.2')
  expect(figures?.lowest.price).toBe('-189.10')
  expect(figures?.highest.price).toBe('1233.09')
  expect(figures?.average).toBe('261.07')
})

test('another day has no price of now; no prices, no figures', () => {
  expect(priceFigures([hour('11', '5')], Date.parse('2026-11-21T13:30:00Z'))?.now).toBeNull()
  expect(priceFigures([], 0)).toBeNull()
})
