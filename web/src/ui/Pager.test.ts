import { expect, test } from 'vitest'
import { shownPages } from './Pager.tsx'

test.each([
  [1, 20, '1 2 3 4 5 … 19 20'],
  [3, 20, '1 2 3 4 5 … 19 20'],
  [6, 20, '1 2 3 4 5 6 7 8 … 19 20'],
  [10, 20, '1 2 … 8 9 10 11 12 … 19 20'],
  [20, 20, '1 2 … 16 17 18 19 20'],
  [2, 3, '1 2 3'],
  [1, 300_000, '1 2 3 4 5 … 299999 300000'],
])('page %i of %i: two at each margin and a range of five', (page, pages, text) => {
  expect(
    shownPages(page, pages, 2, 5)
      .map((n) => n ?? '…')
      .join(' '),
  ).toBe(text)
})
