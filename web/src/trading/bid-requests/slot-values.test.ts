import { describe, expect, test } from 'vitest'
import {
  cellsOf,
  dayOf,
  filledAll,
  filledTo,
  kindsOf,
  noTexts,
  ordinarySlots,
  pasted,
  textsOf,
  tidied,
  typedIn,
  valueOf,
} from './slot-values.ts'

const fcr = noTexts('FCR')
const capacityOf = (texts: typeof fcr) => texts.capacity.join(' ')

test('slots and columns of a market', () => {
  expect(ordinarySlots('FCR').map(({ label }) => label)).toEqual(['00–04', '04–08', '08–12', '12–16', '16–20', '20–24'])
  expect(ordinarySlots('FFR')).toHaveLength(24)
  expect(ordinarySlots('local flexibility').map(({ label }) => label)).toEqual(['00–24'])
  expect(kindsOf('FFR')).toEqual(['capacity', 'price'])
  expect(kindsOf('aFRR')).toEqual(['capacity', 'price', 'regulationPrice'])
  expect(noTexts('FFR').regulationPrice).toEqual([])
})

test('numbers are read with a comma or a point, and written in Danish; empty is 0', () => {
  expect(['0,42', '0.42', '1.234,5', ' ', '-1'].map((text) => valueOf('capacity', text))).toEqual([
    0.42, 0.42, 1234.5, 0, -1,
  ])
  expect(valueOf('price', 'two')).toBeNaN()
  expect(tidied('capacity', '0.42')).toBe('0,420')
  expect(tidied('price', '1234.5')).toBe('1234,50')
  // The same number whether the cell loses focus before the form is sent or not.
  expect(['5.000', '5,000'].map((text) => valueOf('price', text))).toEqual([5000, Number.NaN])
  expect(['5.000', '5,000'].map((text) => tidied('price', text))).toEqual(['5000,00', '5,000'])
  // More digits than are sent are not rounded away behind the back of who typed them.
  expect(tidied('capacity', '0,4205')).toBe('0,4205')
  expect(tidied('price', 'two')).toBe('two')
})

describe('filling', () => {
  const one = typedIn(fcr, 'capacity', 2, '0,4')
  test('a value continues to another slot, before or after', () => {
    expect(filledTo(one, 'capacity', 2, 4).capacity).toEqual(['', '', '0,400', '0,400', '0,400', ''])
    expect(filledTo(one, 'capacity', 2, 0).capacity).toEqual(['0,400', '0,400', '0,400', '', '', ''])
  })
  test('a value for all slots fills its own column only', () => {
    const filled = filledAll(one, kindsOf('FCR'), { price: '12' })
    expect(filled.price).toEqual(Array.from({ length: 6 }, () => '12,00'))
    expect(filled.capacity).toBe(one.capacity)
  })
  test('an earlier request is copied with its zeros', () => {
    const texts = textsOf('FCR', { capacity: [1, 0, 1, 1, 1, 1], price: [1, 2, 3, 4, 5, 6.5], regulationPrice: null })
    expect(capacityOf(texts)).toBe('1,000 0,000 1,000 1,000 1,000 1,000')
    expect(texts.price[5]).toBe('6,50')
  })
})

describe('cells pasted from a sheet', () => {
  const at = (kind: 'capacity' | 'price', slot: number) => ({ kind, slot })
  test('a single value is typed as any other', () => {
    expect(cellsOf('0,4')).toBeNull()
    expect(cellsOf('0,4\r\n')).toBeNull()
  })
  test('a column fills on from the cell', () => {
    const { texts, skipped } = pasted(fcr, kindsOf('FCR'), at('capacity', 1), cellsOf('0,1\r\n0.2\r\n3\r\n') ?? [])
    expect(texts.capacity).toEqual(['', '0,100', '0,200', '3,000', '', ''])
    expect(skipped).toBe(0)
  })
  test('two columns fill MW and price; values without a slot are counted', () => {
    const cells = cellsOf('1\t10\n2\t20\n3\t30') ?? []
    const { texts, skipped } = pasted(fcr, kindsOf('FCR'), at('capacity', 4), cells)
    expect([texts.capacity.slice(4), texts.price.slice(4), skipped]).toEqual([
      ['1,000', '2,000'],
      ['10,00', '20,00'],
      1,
    ])
  })
  test('a row fills on as a column', () => {
    const { texts } = pasted(fcr, kindsOf('FCR'), at('price', 0), cellsOf('1\t2\t3\t4\t5\t6') ?? [])
    expect(texts.price).toEqual(['1,00', '2,00', '3,00', '4,00', '5,00', '6,00'])
  })
  test('a column is read in the style that its cells share', () => {
    const pasteOf = (cells: string) => pasted(fcr, kindsOf('FCR'), at('capacity', 0), cellsOf(cells) ?? []).texts
    expect(pasteOf('1.250\n0.5').capacity.slice(0, 2)).toEqual(['1,250', '0,500'])
    expect(pasteOf('1.250\n0,5').capacity.slice(0, 2)).toEqual(['1250,000', '0,500'])
  })
  test('words stay in their cell, so that they are visible', () => {
    expect(pasted(fcr, kindsOf('FCR'), at('capacity', 0), cellsOf('MW\n1') ?? []).texts.capacity[0]).toBe('MW')
  })
})

test('a day at full award is exact: 6 blocks of 4 hours, each MW counts once in the mean', () => {
  const texts = textsOf('FCR', {
    capacity: [0.1, 0.2, 0, 0, 0, 0],
    price: [10, 20.01, 99, 0, 0, 0],
    regulationPrice: null,
  })
  const day = dayOf('FCR', texts)
  expect([day.mwHours, day.mostMw, day.dayEur]).toEqual(['1.2', '0.2', '5.002'])
  expect(day.meanEur).toBeCloseTo(5.002 / 0.3)
  expect(dayOf('FCR', fcr).meanEur).toBeNull()
})
