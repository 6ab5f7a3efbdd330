import * as contract from '@gridmast/contract/meters/data-hub.ts'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { dayOf, openDataHub, point, putMeter, putReadings, putSpot } from './data-hub.fixture.ts'

const { app, sudoer } = await openDataHub()
afterAll(() => app.close())

describe('download', () => {
  const download = (body: object, query: Record<string, string> = {}, token = sudoer) =>
    app.ask(contract.downloadMeters, { token, body, query })

  test('missing meters, a reversed range and too many days are refused by field', async () => {
    const days = { startDate: '2026-11-20', endDate: '2026-11-20' }
    const { meter_id } = await putMeter(app, { point: point() })
    expect((await download({ ...days, devices: [] })).body.errors).toEqual({ devices: m.meterRequired })
    const reversed = { devices: [meter_id], startDate: '2026-11-21', endDate: '2026-11-20' }
    expect((await download(reversed)).body.errors).toEqual({ endDate: m.endBeforeStart })
    const long = { devices: [meter_id], startDate: '2025-01-01', endDate: '2026-11-20' }
    expect((await download(long, { format: 'csv' })).body.errors).toEqual({ endDate: m.exportTooLong(400) })
    const listed = { devices: [meter_id], startDate: '2026-09-01', endDate: '2026-11-20' }
    expect((await download(listed)).body.errors).toEqual({ endDate: m.listTooLong(31) })
  })

  test('T1 a file with one meter of another customer is refused', async () => {
    const [own, foreign] = [
      await putMeter(app, { point: point() }),
      await putMeter(app, { customer: 'west', point: point() }),
    ]
    const body = { devices: [own.meter_id, foreign.meter_id], startDate: '2026-11-20', endDate: '2026-11-20' }
    expect((await download(body, { format: 'csv' })).status).toBe(404)
  })

  test('the JSON has deviceName, costData and consumptionData, with null for a gap', async () => {
    const meter = await putMeter(app, { point: point(), name: 'Packing hall', tax: '0' })
    await putSpot(app, '2026-11-20', 1, (index) => String(index * 10))
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => (index === 1 ? null : 1000))])
    const body = { devices: [meter.meter_id], startDate: '2026-11-20', endDate: '2026-11-20' }
    const [device] = (await download(body)).body.data.devices
    expect(device?.deviceName).toBe('Packing hall')
    expect(device?.consumptionData.slice(0, 3).map(([, kwh]) => kwh)).toEqual(['1.000', null, '1.000'])
    expect(device?.costData.slice(0, 3).map(([, dkk]) => dkk)).toEqual(['0', null, '0.02'])
    const daily = (await download(body, { resolution: 'day' })).body.data.devices[0]
    expect(daily?.consumptionData).toEqual([['2026-11-19T23:00:00.000Z', '95.000']])
  })

  test('L2 the file has DKK and kWh, local time and UTC, quality and version of the day, and names as text', async () => {
    const meter = await putMeter(app, { point: point(), name: '=cmd|calc' })
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => (index === 1 ? null : 1234), { quality: 'e' })])
    const body = { devices: [meter.meter_id], startDate: '2026-11-20', endDate: '2026-11-20' }
    const { text, headers } = await download(body, { format: 'csv' })
    expect(headers['content-disposition']).toContain('Meters_2026-11-20.csv')
    const [head, first, second] = text.replace('\uFEFF', '').split('\r\n')
    expect(head).toContain('Consumption (kWh),Quality,Spot (DKK),Tariff (DKK),Tax (DKK),Cost (DKK),Version of the day')
    expect(first).toContain("'=cmd|calc,571313000000010")
    expect(first).toContain(
      '2026-11-20 00:00:00,2026-11-19T23:00:00.000Z,2026-11-20 00:15:00,2026-11-19T23:15:00.000Z,1.234,estimated,0,0,0.146846,0.146846,1',
    )
    expect(second).toContain(',,missing,,,,,1')
  })

  test('a day of hourly readings states its number of hours, one of quarters its number of quarters', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [
      dayOf('2026-11-20', (hour) => (hour === 1 ? null : 1000), { step: 'hour' }),
      dayOf('2026-11-21', (index) => (index === 1 ? null : 1000)),
    ])
    const body = { devices: [meter.meter_id], startDate: '2026-11-20', endDate: '2026-11-21' }
    const { text } = await download(body, { format: 'csv', resolution: 'day' })
    expect(text).toContain(',23,23/24,')
    expect(text).toContain(',95,95/96,')
  })

  test('S7 a file of a call with a body is downloaded once by a link', async () => {
    const meter = await putMeter(app, { point: point(), name: 'Cold store' })
    await putReadings(app, meter, [dayOf('2026-11-20', () => 1000)])
    const url = '/api/client/data-hub/download?format=csv'
    const { cookies } = await app.http.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${sudoer}`, [ticketHeader]: '1' },
      payload: { devices: [meter.meter_id], startDate: '2026-11-20', endDate: '2026-11-20' },
    })
    const ticket = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
    const file = await app.http.inject({ url, cookies: ticket })
    expect(file.headers['content-disposition']).toMatch(/^attachment/)
    expect(file.body).toContain('Cold store')
    expect((await app.http.inject({ url, cookies: ticket })).statusCode).toBe(404)
    expect((await app.http.inject({ url, headers: { authorization: `Bearer ${sudoer}` } })).statusCode).toBe(400)
  })
})
