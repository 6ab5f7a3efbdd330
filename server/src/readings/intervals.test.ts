import { slots } from '@gridmast/contract/slots.ts'
import { expect, test } from 'vitest'
import { hourlyEnergyKwh } from './intervals.ts'

const hours = slots('hour', '2026-11-20').slice(0, 3)
const [first] = hours.map(({ fromMs }) => fromMs)
const minuteMs = 60_000

/** A reader over samples `[minute of the day, kW]`. */
const readingsOf = (samples: [minute: number, kw: number][]) => ({
  buckets: async ({ edgesMs }: { edgesMs: readonly number[] }) =>
    edgesMs.slice(0, -1).map((fromMs, i) => {
      const within = samples.filter(([minute]) => {
        const ms = (first ?? 0) + minute * minuteMs
        return ms >= fromMs && ms < (edgesMs[i + 1] ?? 0)
      })
      const sum = within.reduce((all, [, kw]) => all + kw, 0)
      return { count: within.length, sum, min: null, max: null, first: null, firstMs: null, last: null, lastMs: null }
    }),
})
const energy = (samples: [number, number][], atMinute: number) =>
  hourlyEnergyKwh(readingsOf(samples), 1, hours, (first ?? 0) + atMinute * minuteMs)

test('a value in each quarter of an hour makes its energy; one sample alone makes none', async () => {
  const each: [number, number][] = [0, 15, 30, 45].map((minute) => [minute, 100 + minute])
  expect(await energy([...each, [61, 1000]], 180)).toEqual([122.5, null, null])
})

test('the running hour counts up to now; its running quarter may still be empty', async () => {
  expect(
    await energy(
      [
        [60, 30],
        [75, 60],
      ],
      100,
    ),
  ).toEqual([null, 30, null])
  expect(await energy([[75, 60]], 100)).toEqual([null, null, null])
})
