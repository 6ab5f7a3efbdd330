import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { findEmissionSignal, readEmission } from './emission.ts'
import { addPublicSignal } from '#testing/signals.ts'

const fiveMinutesMs = 5 * 60_000
const app = await openTestApp()
app.setNow('2026-11-20T11:30:00Z')
afterAll(() => app.close())

test('the mean of the published values of each hour, without hours that have none', async () => {
  const no = await addPublicSignal(app.records, 'DK2', 'co2')
  await addPublicSignal(app.records, 'DK2', 'co2Prognosis')
  const { fromMs, toMs } = dayBounds('2026-10-25')
  const values = Array.from({ length: 25 * 12 }, (_, i) => (i >= 36 && i < 48 ? null : 100 + i))
  await app.readings.insert([{ signalNo: no, t0Ms: fromMs, dtMs: fiveMinutesMs, values }])
  const signal = await app.records.system((tx) => findEmissionSignal(tx, 'DK2'))
  expect(signal?.no).toBe(no)
  const emission = await readEmission(app.readings, signal, { fromMs, toMs })
  expect(emission.size).toBe(24)
  expect([0, 1, 3, 24].map((hour) => emission.get(fromMs + hour * hourMs))).toEqual([105.5, 117.5, undefined, 393.5])
})

test('an area without published values and an empty range have no emission', async () => {
  const signal = await app.records.system((tx) => findEmissionSignal(tx, 'SE4'))
  expect(signal).toBe(undefined)
  expect(await readEmission(app.readings, signal, dayBounds('2026-11-19'))).toEqual(new Map())
  expect(await readEmission(app.readings, { no: 1 }, { fromMs: 5, toMs: 5 })).toEqual(new Map())
})
