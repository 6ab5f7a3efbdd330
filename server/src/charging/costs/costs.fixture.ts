import { slots } from '@gridmast/contract/slots.ts'
import { addDays, dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { saveRegisters } from '#charging/ledger/group-commit.ts'
import { markSessions } from '#charging/ledger/transactions.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import type { TestApp } from '#testing/app.ts'
import { addChargers } from '#testing/chargers.ts'
import { putPrices } from '#testing/prices.ts'
import { countCosts } from './count.ts'
import { insertRow } from '#platform/records/rows.ts'

export const chargerId = (identity: string, customer = 'north') => idOf('charger', customer, identity)

export const addPricedCharger = async (app: TestApp, identity: string, customer = 'north') => {
  await addChargers(app.records, [{ identity, customer }])
  await app.records.system(async (tx) => {
    const { price_signal_id } = await tx
      .selectFrom('price_signal')
      .select('price_signal_id')
      .where('customer_id', '=', idOf('customer', customer))
      .where('area', '=', 'DK2')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('price_signal')
      .set({ tax_dkk_per_mwh: '119' })
      .where('price_signal_id', '=', price_signal_id)
      .execute()
    await tx.updateTable('charger').set({ price_signal_id }).where('identity', '=', identity).execute()
  })
}

export const putDay = (
  app: TestApp,
  day: string,
  dkk: (index: number) => number | string,
  nowIso = '2026-11-22T00:00:00Z',
) =>
  putPrices(
    app.records,
    slots('quarter', day).map(({ fromMs, index }) => ({
      market: 'day-ahead',
      area: 'DK2',
      at: new Date(fromMs).toISOString(),
      durationS: 900,
      priceDkk: String(dkk(index)),
      unit: 'MWh',
    })),
    nowIso,
  )

export const putEmission = async (app: TestApp, day: string, grams: number, area = 'DK2') => {
  const signal = await app.records.system(async (tx) => {
    const row = { area, kind: 'co2', unit: 'g/kWh', source: 'energi-data-service', dataset: 'CO2Emis' }
    const found = await tx
      .selectFrom('public_signal')
      .select('no')
      .where('kind', '=', 'co2')
      .where('area', '=', area)
      .executeTakeFirst()
    return found ?? tx.insertInto('public_signal').values(row).returning('no').executeTakeFirstOrThrow()
  })
  const { fromMs } = dayBounds(day)
  const { fromMs: toMs } = dayBounds(addDays(day, 1))
  const values = Array.from({ length: ((toMs - fromMs) / hourMs) * 12 }, () => grams)
  await app.readings.insert([{ signalNo: signal.no, t0Ms: fromMs, dtMs: 300_000, values }])
}

type Given = {
  identity: string
  charger?: string
  customer?: string
  from: string
  to?: string | null
  wh: number | null
  tagId?: string
  readings?: readonly [string, number][]
}

type Readings = readonly [string, number][]

export const registerRows = (
  { identity, customer = 'north' }: Pick<Given, 'identity' | 'customer'>,
  readings: Readings,
) =>
  readings.map(([at, wh]) => ({
    customer_id: idOf('customer', customer),
    charger_id: chargerId(identity, customer),
    evse_no: 1,
    at: new Date(at),
    context: 'Sample.Periodic',
    wh: (1000 + wh).toFixed(3),
  }))

export const putRegisters = (app: TestApp, of: Pick<Given, 'identity' | 'customer'>, readings: Readings) =>
  app.records.system((tx) => saveRegisters(tx, registerRows(of, readings)))

export const putSession = async (app: TestApp, given: Given): Promise<string> => {
  const { identity, customer = 'north', from, to = null, wh, tagId = null, readings = [] } = given
  const charger_id = given.charger ?? chargerId(identity, customer)
  const transactionId = newId()
  await app.records.system(async (tx) => {
    const added = await insertRow(tx, idOf('customer', customer), 'charger_transaction', {
      transaction_id: transactionId,
      charger_id,
      evse_no: 1,
      mode: 'tag',
      tag_id: tagId,
      state: to ? 'ended' : 'active',
      started_at: new Date(from),
      ended_at: to ? new Date(to) : null,
      meter_start_wh: '1000',
      consumption_wh: wh === null ? null : String(wh),
    })
      .returningAll()
      .execute()
    markSessions(tx, added)
  })
  if (readings.length > 0) await putRegisters(app, given, readings)
  return transactionId
}

export const count = (app: TestApp) => countCosts(app)
