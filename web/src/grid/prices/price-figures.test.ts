import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { expect, test, vi } from 'vitest'
import { inBlocks, priceFigures } from './price-figures.ts'

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

test('another day has no current price; without prices there are no figures', () => {
  expect(priceFigures([hour('11', '5')], Date.parse('2026-11-21T13:30:00Z'))?.now).toBeNull()
  expect(priceFigures([], 0)).toBeNull()
})

test('a price of FCR is repeated for each hour of its block and is one column; hours of other markets stay', () => {
  const { fromMs } = dayBounds('2026-11-20')
  const prices = Array.from({ length: 24 }, (_, hour) => ({
    start_time: new Date(fromMs + hour * hourMs).toISOString(),
    end_time: new Date(fromMs + (hour + 1) * hourMs).toISOString(),
    price: String(100 + Math.floor(hour / 4)),
    priceEur: null,
    volumeMw: null,
  }))
  const parse = vi.spyOn(Date, 'parse')
  const blocks = inBlocks({ market: 'FCR', prices }, dayBounds('2026-11-20'))
  expect(parse.mock.calls.length).toBeLessThan(2 * prices.length)
  parse.mockRestore()
  expect(blocks.map(({ price }) => price)).toEqual(['100', '101', '102', '103', '104', '105'])
  expect(blocks.map(({ start_time, end_time }) => (Date.parse(end_time) - Date.parse(start_time)) / hourMs)).toEqual([
    4, 4, 4, 4, 4, 4,
  ])
  expect(inBlocks({ market: 'FFR', prices }, dayBounds('2026-11-20'))).toHaveLength(24)
})

test('hours of a block that differ are shown as they are', () => {
  const { fromMs } = dayBounds('2026-11-20')
  const prices = ['1', '1', '2', '1'].map((price, hour) => ({
    start_time: new Date(fromMs + hour * hourMs).toISOString(),
    end_time: new Date(fromMs + (hour + 1) * hourMs).toISOString(),
    price,
    priceEur: null,
    volumeMw: null,
  }))
  expect(inBlocks({ market: 'FCR', prices }, dayBounds('2026-11-20'))).toEqual(prices)
})
