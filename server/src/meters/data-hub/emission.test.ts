import * as contract from '@gridmast/contract/meters/data-hub.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { dayOf, graphOf, openDataHub, point, putMeter, putReadings, putSpot } from './data-hub.fixture.ts'
import { insertRow } from '#platform/records/rows.ts'
import { addPublicSignal } from '#testing/signals.ts'

const date = '2026-11-18'
const days = { startDate: date, endDate: date }

const { app, sudoer, west } = await openDataHub()
beforeAll(async () => {
  await putSpot(app, date, 1, () => '100')
  await putGrid('DK1', 50)
  await putGrid('DK2', 200)
})
afterAll(() => app.close())

const putGrid = async (area: string, grams: number) => {
  const no = await addPublicSignal(app.records, area, 'co2')
  const values = Array.from({ length: 24 }, () => grams)
  await app.readings.insert([{ signalNo: no, t0Ms: dayBounds(date).fromMs, dtMs: hourMs, values }])
}

const putMeterAt = async (area: 'DK1' | 'DK2' | null, customer = 'north') => {
  const meter = await putMeter(app, { customer, cvr: '99000015', point: point(), area })
  await putReadings(app, meter, [dayOf(date, () => 1000, { step: 'hour' })])
  return meter
}

const emissionOf = async (meterId: string, tried: Record<string, string> = {}) => {
  const query = { ...days, ...tried }
  const dearest = await app.ask(contract.dearestHours, { token: sudoer, params: { meterId }, query })
  const { totals } = (await graphOf(app, sudoer, meterId, { date, ...tried })).body.data
  return [totals.kgCo2, dearest.body.data.totals.kgCo2]
}

test('the emission is that of the grid area of the meter, or of its price signal without one', async () => {
  const [inWest, inEast, unknown] = [await putMeterAt('DK1'), await putMeterAt('DK2'), await putMeterAt(null)]
  expect(await emissionOf(inWest.meter_id)).toEqual([1.2, 1.2])
  expect(await emissionOf(inEast.meter_id)).toEqual([4.8, 4.8])
  expect(await emissionOf(unknown.meter_id)).toEqual([4.8, 4.8])
})

test('a preview with a price signal of another area changes the cost and not the emission', async () => {
  const meter = await putMeterAt('DK2')
  const priceSignal = newId()
  await app.records.system((tx) =>
    insertRow(tx, meter.customer_id, 'price_signal', {
      price_signal_id: priceSignal,
      key: 'jutland',
      name: 'Jutland',
      area: 'DK1',
      tax_dkk_per_mwh: '0',
      position: 9,
    }).execute(),
  )
  expect(await emissionOf(meter.meter_id, { priceSignal })).toEqual([4.8, 4.8])
})

test('the overview uses the grid area of each meter', async () => {
  await putMeterAt('DK1', 'west')
  const { group_id: groupId } = await putMeterAt('DK2', 'west')
  const { data } = (await app.ask(contract.dataHubOverview, { token: west, query: { date, groupId } })).body
  expect(data.meters.map(({ totals }) => totals.kgCo2).toSorted((a, b) => Number(a) - Number(b))).toEqual([1.2, 4.8])
  expect(data.totals.kgCo2).toBeCloseTo(6)
})
