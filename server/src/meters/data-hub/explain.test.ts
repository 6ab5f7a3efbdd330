import * as contract from '@gridmast/contract/meters/data-hub.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { dayOf, openDataHub, point, putMeter, putReadings, putSpot, signalOf } from './data-hub.fixture.ts'
import { addRows } from '#testing/rows.ts'

const { app, sudoer } = await openDataHub()
afterAll(() => app.close())

describe('the formula of an amount', () => {
  test('a formula has the reading, its parts and the published prices with their source', async () => {
    await putSpot(app, '2026-11-17', 1, (index) => String(400 + index))
    await addRows(app.records, 'tariff', {
      owner_gln: '5790000705689',
      owner_name: 'Radius Elnet A/S',
      charge_type: 'D03',
      code: 'DT_C_01',
      name: 'Nettarif C time',
      valid_from: '2026-10-01',
      resolution: 'PT1H',
      prices: Array.from({ length: 24 }, (_, hour) => `0.${10 + hour}`) as never, // numeric[] is text on its way in
      source: 'energi-data-service',
      fetched_at: new Date(),
    })
    const tariff = { gln: '5790000705689', code: 'DT_C_01' }
    const meter = await putMeter(app, { point: point(), tax: '8', tariff })
    await putReadings(app, meter, [dayOf('2026-11-17', () => 2000, { step: 'hour' })])
    const { body } = await app.ask(contract.meterFormula, {
      token: sudoer,
      params: { meterId: meter.meter_id },
      query: { at: '2026-11-17T09:20:00Z' },
    })
    // 10:00 to 11:00 local: quarters 40 to 43 at 440 … 443, tariff of hour 10 is 0.20 DKK/kWh.
    expect(body.data).toMatchObject({
      from: '2026-11-17T09:00:00.000Z',
      kwh: '2.000',
      quality: 'measured',
      version: 1,
      dkk: '1.299',
      unknown: null,
      parts: [
        {
          part: 'spot',
          dkkPerMwh: '441.5',
          dkk: '0.883',
          source: { name: 'Energi Data Service', dataset: 'DayAheadPrices' },
        },
        { part: 'tariff', dkkPerMwh: '200', dkk: '0.4', source: { dataset: 'DatahubPricelist' } },
        { part: 'tax', dkkPerMwh: '8', dkk: '0.016', source: null },
      ],
    })
    expect(body.data.parts[0]?.prices.map(({ dkkPerMwh }) => dkkPerMwh)).toEqual(['440', '441', '442', '443'])
    const { tariffs } = await app.data(contract.findTariffs, { token: sudoer })
    expect(tariffs).toEqual([
      {
        _id: '5790000705689:DT_C_01',
        owner: 'Radius Elnet A/S',
        code: 'DT_C_01',
        name: 'Nettarif C time',
        validFrom: '2026-10-01',
      },
    ])
    const unread = await app.ask(contract.meterFormula, {
      token: sudoer,
      params: { meterId: meter.meter_id },
      query: { at: '2026-11-16T09:20:00Z' },
    })
    expect(unread.body.data).toMatchObject({ kwh: null, dkk: null, unknown: 'reading' })
  })

  test('a preview explains its own amounts with its tax, and a price signal of another customer is a 404', async () => {
    const meter = await putMeter(app, { point: point(), tax: '8' })
    await putSpot(app, '2026-11-16', 1, () => '400')
    await putReadings(app, meter, [dayOf('2026-11-16', () => 1000, { step: 'hour' })])
    const params = { meterId: meter.meter_id }
    const at = '2026-11-16T09:20:00Z'
    const formula = (query: object) =>
      app.ask(contract.meterFormula, { token: sudoer, params, query: { at, ...query } })
    const days = { startDate: '2026-11-16', endDate: '2026-11-16' }
    const dearest = (query: object) =>
      app.ask(contract.dearestHours, { token: sudoer, params, query: { ...days, ...query } })
    expect((await formula({})).body.data.dkk).toBe('0.408')
    expect((await formula({ taxValue: '100' })).body.data.dkk).toBe('0.5')
    expect((await dearest({})).body.data.totals.dkk?.total).toBe('9.79')
    expect((await dearest({ taxValue: '100' })).body.data.totals.dkk?.total).toBe('12.00')
    const priceSignal = await signalOf(app, 'west')
    expect((await formula({ priceSignal })).status).toBe(404)
    expect((await dearest({ priceSignal })).status).toBe(404)
  })

  test('the ten most expensive hours and the saving of moving them within their day', async () => {
    const meter = await putMeter(app, { point: point(), tax: '0' })
    await putSpot(app, '2026-11-15', 1, (hour) => (hour === 18 ? '900' : hour === 3 ? '100' : '300'), 'hour')
    await putReadings(app, meter, [dayOf('2026-11-15', (hour) => (hour === 18 ? 4000 : 1000), { step: 'hour' })])
    const { data } = (
      await app.ask(contract.dearestHours, {
        token: sudoer,
        params: { meterId: meter.meter_id },
        query: { startDate: '2026-11-15', endDate: '2026-11-15' },
      })
    ).body
    expect(data.hours).toHaveLength(10)
    expect(data.hours[0]).toEqual({
      from: '2026-11-15T17:00:00.000Z',
      to: '2026-11-15T18:00:00.000Z',
      kwh: '4.000',
      dkk: '3.60',
      dkkPerMwh: '900',
      cheapest: { from: '2026-11-15T02:00:00.000Z', dkkPerMwh: '100' },
      savedDkk: '3.20',
    })
    expect(data.savedDkk).toBe('5.00') // 3.20 and nine times 0.20
    expect(data.totals.dkk?.total).toBe('10.30')
  })
})
