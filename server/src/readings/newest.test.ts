import { expect, test } from 'vitest'
import { openNewest } from './newest.ts'
import type { Sample } from './latest.ts'

const run = (tMs: number, ...values: (number | null)[]) => ({ signalNo: 7, t0Ms: tMs, dtMs: 1000, values })
const never = () => Promise.reject(new Error('looked up again'))
const holding = (sample?: Sample) => async () => new Map(sample ? [[7, sample]] : [])

test('what was looked up once is kept up to date by what is stored, late arrivals change nothing', async () => {
  const newest = openNewest()
  newest.stored([run(0, 1)]) // before anybody asked
  expect(await newest.latest([7], holding({ tMs: 5000, value: 50 }))).toEqual(new Map([[7, { tMs: 5000, value: 50 }]]))
  newest.stored([run(8000, 51, 52, null)])
  newest.stored([run(1000, 1)])
  expect(await newest.latest([7], never)).toEqual(new Map([[7, { tMs: 9000, value: 52 }]]))
})

test('a series without samples is absent and not looked up again; its first sample is seen', async () => {
  const newest = openNewest()
  expect(await newest.latest([7], holding())).toEqual(new Map())
  expect(await newest.latest([7], never)).toEqual(new Map())
  newest.stored([run(1000, 3)])
  expect(await newest.latest([7], never)).toEqual(new Map([[7, { tMs: 1000, value: 3 }]]))
})

test('what is stored while a series is being looked up is not lost', async () => {
  const newest = openNewest()
  let answer: (found: Map<number, Sample>) => void = () => {}
  const asking = newest.latest([7], () => new Promise((resolve) => (answer = resolve)))
  newest.stored([run(9000, 9)])
  answer(new Map([[7, { tMs: 5000, value: 5 }]]))
  expect(await asking).toEqual(new Map([[7, { tMs: 9000, value: 9 }]]))
})

test('a value sent again for the newest instant replaces it', async () => {
  const newest = openNewest()
  await newest.latest([7], holding({ tMs: 5000, value: 5 }))
  newest.stored([run(5000, 6)])
  expect(await newest.latest([7], never)).toEqual(new Map([[7, { tMs: 5000, value: 6 }]]))
})
