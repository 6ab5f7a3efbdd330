import { addDays, datesBetween, dayBounds, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import type { PlanLoad } from './loads.ts'

const days = 7

const weekOf = (nowMs: number) => {
  const last = today(nowMs)
  const first = addDays(last, -days)
  return { first, last, fromMs: dayBounds(first).fromMs, toMs: dayBounds(last).fromMs }
}

export const chargersWeekWh = async (
  { records, clock }: Pick<App, 'records' | 'clock'>,
  customerId: string,
): Promise<ReadonlyMap<string, number>> => {
  const { fromMs, toMs } = weekOf(clock.now())
  const { rows } = await records.tenant(customerId, (tx) =>
    sql<{ charger_id: string; wh: number }>`
      select charger_id, sum(consumption_wh)::float8 as wh from charger_transaction
      where customer_id = ${customerId} and started_at >= ${new Date(fromMs)} and started_at < ${new Date(toMs)} and consumption_wh is not null
      group by charger_id`.execute(tx),
  )
  return new Map(rows.map(({ charger_id, wh }) => [charger_id, wh]))
}

export const weekKwh = async (
  { readings, clock }: Pick<App, 'readings' | 'clock'>,
  load: PlanLoad,
  usedWh: ReadonlyMap<string, number>,
): Promise<number | null> => {
  if (load.chargers.length > 0) {
    const used = load.chargers.flatMap(({ chargerId }) => usedWh.get(chargerId) ?? [])
    return used.length === 0 ? null : Math.round(used.reduce((sum, wh) => sum + wh, 0) / 1000 / days)
  }
  if (!load.signals || load.signals.power === null || load.kinds.includes('storage')) return null
  const { first, last, toMs } = weekOf(clock.now())
  const edgesMs = [...datesBetween(first, addDays(last, -1)).map((day) => dayBounds(day).fromMs), toMs]
  const buckets = (await readings.buckets({ signalNo: load.signals.power, edgesMs })).slice(0, days)
  const measured = buckets.filter(({ count }) => count > 0)
  if (measured.length === 0) return null
  const meanKw = measured.reduce((sum, { sum: kw, count }) => sum + kw / count, 0) / measured.length
  return Math.round(meanKw * 24)
}
