import { expect, test } from 'vitest'
import { createFeed } from './feed.ts'

test('pushes append, repeats and late values are skipped until the next full read', () => {
  const feed = createFeed(60_000)
  feed.seed({ x: [1000, 2000], y: [1, 2] })
  feed.push({ x: [2000, 3000], y: [9, 3] })
  feed.push({ x: [500], y: [7] })
  expect(feed.state.get().x).toEqual([1000, 2000, 3000])
  expect(feed.state.get().y).toEqual([1, 2, 3])
})

test('a full read replaces what is older and keeps what was pushed after it', () => {
  const feed = createFeed(60_000)
  feed.push({ x: [1000, 5000], y: [1, 5] })
  feed.seed({ x: [1000, 2000, 3000], y: [10, 20, 30] })
  expect(feed.state.get().x).toEqual([1000, 2000, 3000, 5000])
  expect(feed.state.get().y).toEqual([10, 20, 30, 5])
})

test('memory stays flat over hours of one value a second', () => {
  const feed = createFeed(30 * 60_000)
  for (let s = 0; s < 6 * 3600; s++) feed.push({ x: [s * 1000], y: [50] })
  const { x, y } = feed.state.get()
  expect(x.length).toBeLessThanOrEqual(1800 * 1.13 + 2)
  expect(y.length).toBe(x.length)
  expect(x.at(-1)).toBe((6 * 3600 - 1) * 1000)
})

test('a day at one value a second keeps one point a minute and its newest point', () => {
  const feed = createFeed(24 * 3_600_000, 60_000)
  for (let s = 0; s <= 2 * 3600; s++) feed.push({ x: [s * 1000], y: [s] })
  const { x, y } = feed.state.get()
  expect(x.length).toBeLessThanOrEqual(125)
  expect([x.at(-1), y.at(-1)]).toEqual([7_200_000, 7200])
  expect(x).toEqual(x.toSorted((a, b) => a - b))
})
