import type { Quality } from '@gridmast/contract/meters/data-hub.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import type { Days } from './calendar.ts'

/** A meter without readings counts as hourly. */
export const stepOf = (meter: { step_s: number | null }): number => meter.step_s ?? 3600

/** Whole Wh per interval, null without a reading, and a letter of quality per interval. */
export type DayReadings = { day: LocalDate; step_s: number; wh: readonly (number | null)[]; quality: string }

export type MeterDay = DayReadings & { version: number; fetched_at: Date }

const qualityOf: Record<string, Quality> = { m: 'measured', e: 'estimated', a: 'adjusted', i: 'incomplete' }

export const qualityAt = (day: Pick<MeterDay, 'quality'> | undefined, index: number): Quality =>
  qualityOf[day?.quality[index] ?? '-'] ?? 'missing'

export const findDaysOf = async (
  tx: Tx,
  customerId: string,
  meterIds: readonly string[],
  { from, to }: Days,
): Promise<Map<string, MeterDay[]>> => {
  const rows = await sqlRows<MeterDay & { meter_id: string }>(tx)`
    select meter_id, day::text, step_s, wh, quality, version, fetched_at from meter_day
    where customer_id = ${customerId} and meter_id = any(${meterIds}::uuid[]) and day >= ${from}::date and day < ${to}::date
    order by meter_id, day`
  return Map.groupBy(rows, ({ meter_id }) => meter_id)
}

export const findDays = async (tx: Tx, customerId: string, meterId: string, days: Days): Promise<MeterDay[]> =>
  (await findDaysOf(tx, customerId, [meterId], days)).get(meterId) ?? []

export const finestStepOf = (rows: readonly DayReadings[], otherwise: number): number =>
  rows.length > 0 ? Math.min(...rows.map(({ step_s }) => step_s)) : otherwise
