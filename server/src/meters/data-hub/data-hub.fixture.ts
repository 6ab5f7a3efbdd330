import { meterGraph } from '@gridmast/contract/meters/data-hub.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { addDays, type LocalDate } from '@gridmast/contract/time.ts'
import type { DayReadings } from '#connectors/eloverblik/parse.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { putPrices } from '#testing/prices.ts'
import { saveReadings } from './sync.ts'
import { insertRow } from '#platform/records/rows.ts'
import { storedRow } from '#testing/rows.ts'

export const openDataHub = async () => {
  const app = await openTestApp()
  app.setNow('2026-11-22T10:00:00Z')
  return {
    app,
    sudoer: await app.tokenOf('sudoer@north.example'),
    expert: await app.tokenOf('expert@north.example'),
    west: await app.tokenOf('sudoer@west.example'),
  }
}

let points = 0
export const point = () => `5713130000000${String(10_000 + ++points)}`

export const graphOf = (app: TestApp, token: string, meterId: string, query: Record<string, string>) =>
  app.ask(meterGraph, { token, params: { meterId }, query })

export const seriesNamed = (graph: { name: string; y: (number | null)[]; kind: string }[], name: string) =>
  graph.find((one) => one.name === name)

export const lastOnTrail = (app: TestApp, action: string) =>
  app.records.system((tx) =>
    tx
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', action)
      .orderBy('entry_no', 'desc')
      .executeTakeFirst(),
  )

const customerOf = (app: TestApp, key: string) => storedRow(app.records, 'customer', { key }, ['customer_id'])

export const signalOf = async (app: TestApp, key = 'north'): Promise<string> => {
  const { customer_id } = await customerOf(app, key)
  const found = await storedRow(app.records, 'price_signal', { customer_id }, ['price_signal_id'])
  return found.price_signal_id
}

type Given = {
  area?: 'DK1' | 'DK2' | null
  customer?: string
  cvr?: string
  point?: string
  name?: string
  configured?: boolean
  tax?: string
  tariff?: { gln: string; code: string }
}

export const putMeter = async (app: TestApp, given: Given = {}) => {
  const { customer = 'north', cvr = '99000007', point = '571313000000000013', name = 'Frost store' } = given
  const { customer_id } = await customerOf(app, customer)
  const price_signal_id = await signalOf(app, customer)
  const [groupId, meterId] = [newId(), newId()]
  return app.records.system(async (tx) => {
    const group = await insertRow(tx, customer_id, 'meter_group', { group_id: groupId, cvr, created_at: new Date() })
      .onConflict((conflict) => conflict.columns(['customer_id', 'cvr']).doUpdateSet({ cvr }))
      .returning('group_id')
      .executeTakeFirstOrThrow()
    await insertRow(tx, customer_id, 'meter', {
      meter_id: meterId,
      group_id: group.group_id,
      metering_point_id: point,
      name,
      area: given.area === undefined ? 'DK2' : given.area,
      ...(given.configured === false ? {} : { price_signal_id, tax_dkk_per_mwh: given.tax ?? '119', enabled: true }),
      ...(given.tariff ? { tariff_gln: given.tariff.gln, tariff_code: given.tariff.code } : {}),
      details_at: new Date(),
      added_at: new Date(),
    }).execute()
    return { customer_id, meter_id: meterId, group_id: group.group_id }
  })
}

export const dayOf = (
  day: LocalDate,
  wh: (index: number) => number | null,
  { step = 'quarter', quality = 'm' }: { step?: 'quarter' | 'hour'; quality?: string } = {},
): DayReadings => {
  const values = slots(step, day).map(({ index }) => wh(index))
  return {
    day,
    stepMs: step === 'quarter' ? 900_000 : 3_600_000,
    wh: values,
    quality: values.map((value) => (value === null ? '-' : quality)).join(''),
  }
}

export const putReadings = (
  app: TestApp,
  meter: { customer_id: string; meter_id: string },
  days: DayReadings[],
  nowMs = Date.now(),
) => app.records.system((tx) => saveReadings(tx, meter, days, nowMs))

export const putSpot = async (
  app: TestApp,
  first: LocalDate,
  days: number,
  price: (index: number) => string | null,
  step: 'quarter' | 'hour' = 'quarter',
) => {
  const rows = Array.from({ length: days }, (_, i) => addDays(first, i)).flatMap((date) =>
    slots(step, date).flatMap(({ index, fromMs, toMs }) => {
      const priceDkk = price(index)
      if (priceDkk === null) return []
      const at = new Date(fromMs).toISOString()
      return [{ market: 'day-ahead', area: 'DK2', at, durationS: (toMs - fromMs) / 1000, priceDkk, unit: 'MWh' }]
    }),
  )
  await putPrices(app.records, rows, `${addDays(first, -1)}T12:00:00Z`)
}
