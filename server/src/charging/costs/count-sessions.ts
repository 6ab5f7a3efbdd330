import { multiplyDecimals } from '@gridmast/contract/numbers.ts'
import { dayMs, hourMs, localDateOf, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { findChargingPrices, openPriceBook, priceOn, type ChargingPrice } from './price-periods.ts'
import { quarterEnergy, type QuarterEnergy } from './quarter-energy.ts'
import { sessionCost } from './session-cost.ts'
import { nextStart } from '#charging/ledger/so-far.ts'
import type { App } from '#context.ts'
import { dkkOf } from '#grid/published/cost-of-energy.ts'
import { insertRows, type RowOf } from '#platform/records/rows.ts'
import type { Tx } from '#platform/records/records.ts'

/** Energy and cost of sessions from the ledger, the prices and the emission; rules: session-cost.md. */

export type Transaction = RowOf<
  'charger_transaction',
  | 'customer_id'
  | 'charger_id'
  | 'transaction_id'
  | 'evse_no'
  | 'started_at'
  | 'ended_at'
  | 'meter_start_wh'
  | 'consumption_wh'
> & { is_doubted: boolean; max_kw: string }

/** Unpublished prices and emission are read again at this interval; after a week the interval grows with the age of the session. */
const recountMs = quarterMs
const recountOftenMs = 7 * dayMs
const recountShare = 7
const emissionAfterMs = hourMs

type Reading = { atMs: number; wh: number }

const findRegisters = async (tx: Tx, sessions: readonly Transaction[]): Promise<Map<string, Reading[]>> => {
  const { rows } = await sql<{ transaction_id: string; at: Date; wh: string }>`
    select s.transaction_id, r.at, r.wh
    from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as s
      (customer_id uuid, charger_id uuid, transaction_id uuid, evse_no integer, started_at timestamptz, ended_at timestamptz)
    join charger_register r on r.customer_id = s.customer_id and r.charger_id = s.charger_id and r.evse_no = s.evse_no
      and r.at >= s.started_at and r.at <= coalesce(s.ended_at, ${nextStart} - interval '1 millisecond', 'infinity')
    order by r.at`.execute(tx)
  const found = new Map(sessions.map((one): [string, Reading[]] => [one.transaction_id, []]))
  for (const { transaction_id, at, wh } of rows) found.get(transaction_id)?.push({ atMs: at.getTime(), wh: Number(wh) })
  return found
}

const takenBy = (one: Transaction, readings: readonly Reading[]): QuarterEnergy | null => {
  if (one.is_doubted) return null
  const fromMs = one.started_at.getTime()
  return quarterEnergy(
    {
      fromMs,
      toMs: Math.max(fromMs, one.ended_at?.getTime() ?? readings.at(-1)?.atMs ?? fromMs),
      meterStartWh: one.meter_start_wh === null ? null : Number(one.meter_start_wh),
      wh: one.consumption_wh === null ? null : Number(one.consumption_wh),
      maxKw: Number(one.max_kw),
    },
    readings,
  )
}

const lastQuarterOf = ({ fromMs, wh }: QuarterEnergy) => fromMs + (wh.length - 1) * quarterMs

type Prices = { of: (one: Transaction) => Promise<ChargingPrice[]>; book: ReturnType<typeof openPriceBook> }

const costRow = async (one: Transaction, taken: QuarterEnergy, { of, book }: Prices, nowMs: number) => {
  const prices = await of(one)
  const startDay = localDateOf(one.started_at.getTime())
  const days = await book.of(prices, localDateOf(taken.fromMs), localDateOf(lastQuarterOf(taken)))
  const { cost, gCo2 } = sessionCost(taken, days)
  const unknown = typeof cost === 'string' ? cost : null
  const known = typeof cost === 'string' ? null : cost
  const atStart = priceOn(prices, startDay)
  const kwh = (taken.wh.reduce((sum, part) => sum + part, 0) / 1000).toFixed(3)
  const openUntilMs = lastQuarterOf(taken) + hourMs + emissionAfterMs
  const isOpen = unknown === 'spot' || unknown === 'tariff' || gCo2 === null || nowMs < openUntilMs
  const ageMs = nowMs - lastQuarterOf(taken)
  const waitMs = ageMs < recountOftenMs ? recountMs : ageMs / recountShare
  return {
    customer_id: one.customer_id,
    transaction_id: one.transaction_id,
    from_at: new Date(taken.fromMs),
    wh: taken.wh,
    spread: taken.spread,
    area: atStart?.area ?? null,
    spot_dkk: known && dkkOf(known.spot),
    tariff_dkk: known && dkkOf(known.tariff),
    tax_dkk: known && dkkOf(known.tax),
    unknown,
    // The price at the start applies to the whole session: a driver who plugs in at 0.9 DKK pays 0.9 DKK.
    driver_dkk: atStart?.driver_dkk_per_kwh ? multiplyDecimals(kwh, atStart.driver_dkk_per_kwh) : null,
    g_co2: gCo2 === null ? null : gCo2.toFixed(3),
    due_at: isOpen && unknown !== 'price' ? new Date(nowMs + waitMs) : null,
  }
}

type Row = Awaited<ReturnType<typeof costRow>>

const saveCosts = async (tx: Tx, rows: readonly Row[], without: readonly Transaction[]) => {
  if (rows.length > 0)
    await sql`${insertRows('charging_cost', rows)} on conflict (customer_id, transaction_id) do update set
      from_at = excluded.from_at, wh = excluded.wh, spread = excluded.spread, area = excluded.area, spot_dkk = excluded.spot_dkk,
      tariff_dkk = excluded.tariff_dkk, tax_dkk = excluded.tax_dkk, unknown = excluded.unknown, driver_dkk = excluded.driver_dkk,
      g_co2 = excluded.g_co2, due_at = excluded.due_at`.execute(tx)
  if (without.length > 0)
    await sql`delete from charging_cost where (customer_id, transaction_id) in
      (select customer_id, transaction_id from jsonb_to_recordset(${JSON.stringify(without)}::jsonb) as s (customer_id uuid, transaction_id uuid))`.execute(
      tx,
    )
}

/** Sessions per transaction: no other writer waits long for it. */
const mostTogether = 100

export const openCounting = ({ records, readings, clock }: Pick<App, 'records' | 'readings' | 'clock'>) => {
  const known = new Map<string, Promise<ChargingPrice[]>>()
  const prices: Prices = {
    book: openPriceBook({ read: records.system, readings }),
    of: ({ customer_id, charger_id }) => {
      const found = known.get(charger_id) ?? records.system((tx) => findChargingPrices(tx, customer_id, charger_id))
      known.set(charger_id, found)
      return found
    },
  }
  const countSome = async (sessions: readonly Transaction[]) => {
    const registers = await records.system((tx) => findRegisters(tx, sessions))
    const rows: Row[] = []
    const without: Transaction[] = []
    for (const one of sessions) {
      const taken = takenBy(one, registers.get(one.transaction_id) ?? [])
      if (taken) rows.push(await costRow(one, taken, prices, clock.now()))
      else without.push(one)
    }
    await records.system((tx) => saveCosts(tx, rows, without))
  }
  return async (sessions: readonly Transaction[]): Promise<void> => {
    for (let from = 0; from < sessions.length; from += mostTogether)
      await countSome(sessions.slice(from, from + mostTogether))
  }
}
