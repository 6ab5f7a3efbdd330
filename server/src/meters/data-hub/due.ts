import {
  addDays,
  addMonths,
  atLocalTime,
  dayMs,
  type LocalDate,
  type LocalMonth,
  minuteMs,
  today,
  zone,
} from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { bundleSize } from '#connectors/eloverblik/fetch.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRows, sqlRows, updateRows } from '#platform/records/rows.ts'

type Due = { customer_id: string; meter_id: string; metering_point_id: string }
export type Bundle = { meters: Due[]; from: LocalDate; to: LocalDate; month: LocalMonth | null }

/** Late corrections are normal: each sync requests this many days again. */
const syncDays = 14
const syncTimes = ['07:30', '14:00'] as const

const lastOf = (times: readonly string[], nowMs: number): number => {
  const date = today(nowMs)
  const all = [addDays(date, -1), date].flatMap((day) => times.map((time) => atLocalTime(day, time)))
  return Math.max(...all.filter((atMs) => atMs <= nowMs))
}

const syncOf = (nowMs: number) => lastOf(syncTimes, nowMs)
export const listingOf = (nowMs: number): number => lastOf(syncTimes.slice(0, 1), nowMs)

/** A bundle of a dead process is free after this, which is longer than any request. */
const claimMs = 2 * minuteMs

const isFree = (nowMs: number) => sql<boolean>`(m.claimed_until is null or m.claimed_until <= ${new Date(nowMs)})`
const isRead = sql<boolean>`(m.enabled and m.price_signal_id is not null and m.tax_dkk_per_mwh is not null)`

export const nextSyncBundle = async (tx: Tx, nowMs: number): Promise<Bundle | null> => {
  const to = today(nowMs)
  const from = addDays(to, -syncDays)
  const rows = await sqlRows<Due & { first: LocalDate; end: LocalDate }>(tx)`
    with due as (
      select m.customer_id, m.meter_id, m.metering_point_id,
        greatest(coalesce(m.access_from, ${from}::date), ${from}::date) as first,
        least(coalesce(m.access_to, ${to}::date), ${to}::date) as "end"
      from meter m
      where ${isRead} and ${isFree(nowMs)} and (m.synced_for is null or m.synced_for < ${new Date(syncOf(nowMs))})
    )
    select customer_id, meter_id, metering_point_id, first::text, "end"::text from due
    where first < "end"
      and (first, "end") = (select first, "end" from due where first < "end" order by first, "end" limit 1)
    order by metering_point_id limit ${bundleSize}`
  const [first] = rows
  if (!first) return null
  const meters = await claimFree(tx, rows, nowMs)
  return meters.length > 0 ? { meters, from: first.first, to: first.end, month: null } : null
}

/** Claims the free ones; those of another process are left out. */
const claimFree = async <D extends Due>(tx: Tx, due: readonly D[], nowMs: number): Promise<D[]> => {
  const rows = await sqlRows<{ meter_id: string }>(tx)`
    select m.meter_id from meter m where m.meter_id = any(${due.map(({ meter_id }) => meter_id)}::uuid[]) and ${isFree(nowMs)}
    for update skip locked`
  const claimed = due.filter(({ meter_id }) => rows.some((row) => row.meter_id === meter_id))
  for (const { customer_id, meter_id } of claimed)
    await updateRows(tx, customer_id, 'meter', { meter_id })
      .set({ claimed_until: new Date(nowMs + claimMs) })
      .execute()
  return claimed
}

const reopened = sql`finished_at = null, failures = 0, not_before = null, last_error = null`

const planMissedMonths = async (tx: Tx, meterIds: readonly string[], from: LocalDate) => {
  await sql`
    insert into meter_month (customer_id, meter_id, month)
    select m.customer_id, m.meter_id, to_char(month, 'YYYY-MM')
    from meter m cross join lateral (select (m.read_for at time zone ${zone})::date as day) last
    cross join lateral generate_series(date_trunc('month', last.day::timestamp), ${from}::date - interval '1 day', interval '1 month') month
    where m.meter_id = any(${meterIds}::uuid[]) and last.day < ${from}::date
    on conflict (customer_id, meter_id, month) do update set ${reopened}`.execute(tx)
}

export const finishSync = async (
  tx: Tx,
  { meters, from }: Bundle,
  nowMs: number,
  errors: ReadonlyMap<string, string>,
): Promise<void> => {
  const slot = new Date(syncOf(nowMs))
  const read = meters.filter(({ metering_point_id }) => !errors.has(metering_point_id)).map(({ meter_id }) => meter_id)
  await planMissedMonths(tx, read, from)
  await sql`
    update meter set synced_for = ${slot}, read_for = case when meter_id = any(${read}::uuid[]) then ${slot} else read_for end,
      claimed_until = null
    where meter_id = any(${meters.map(({ meter_id }) => meter_id)}::uuid[])`.execute(tx)
}

export const planMonths = async (
  tx: Tx,
  meters: readonly { customer_id: string; meter_id: string }[],
  { from, to, again = false }: { from: LocalDate; to: LocalDate; again?: boolean },
): Promise<LocalMonth[]> => {
  const months: LocalMonth[] = []
  for (let month = to.slice(0, 7); month >= from.slice(0, 7); month = addMonths(month, -1)) months.push(month)
  const rows = meters.flatMap(({ customer_id, meter_id }) => months.map((month) => ({ customer_id, meter_id, month })))
  const onConflict = again ? sql`do update set ${reopened}` : sql`do nothing`
  if (rows.length > 0)
    await sql`${insertRows('meter_month', rows)} on conflict (customer_id, meter_id, month) ${onConflict}`.execute(tx)
  return months
}

export const nextMonthBundle = async (tx: Tx, nowMs: number): Promise<Bundle | null> => {
  const now = new Date(nowMs)
  const rows = await sqlRows<Due & { month: LocalMonth; first: LocalDate; end: LocalDate }>(tx)`
    with waiting as (
      select w.customer_id, w.meter_id, m.metering_point_id, w.month, w.failures,
        greatest(coalesce(m.access_from, (w.month || '-01')::date), (w.month || '-01')::date) as first,
        least(coalesce(m.access_to, 'infinity'), ((w.month || '-01')::date + interval '1 month')::date, ${today(nowMs)}::date) as "end"
      from meter_month w join meter m on m.customer_id = w.customer_id and m.meter_id = w.meter_id
      where w.finished_at is null and (w.not_before is null or w.not_before <= ${now}) and ${isRead} and ${isFree(nowMs)}
    ), next as (
      select month, first, "end" from waiting order by failures > 0, month desc, first, "end" limit 1
    )
    select w.customer_id, w.meter_id, w.metering_point_id, w.month, w.first::text, w."end"::text
    from waiting w join next n on n.month = w.month and n.first = w.first and n."end" = w."end"
    order by w.failures > 0, w.metering_point_id limit ${bundleSize}`
  const [first] = rows
  if (!first) return null
  const bundle = { from: first.first, to: first.end, month: first.month }
  if (first.first >= first.end) {
    await finishMonth(tx, { ...bundle, meters: rows }, nowMs)
    return nextMonthBundle(tx, nowMs)
  }
  const meters = await claimFree(tx, rows, nowMs)
  return meters.length > 0 ? { ...bundle, meters } : null
}

const firstWaitMs = 10 * minuteMs
const longestWaitMs = dayMs

/** A month is finished, or waits with the reason: 10 minutes, doubled each time up to a day. */
export const finishMonth = async (
  tx: Tx,
  { meters, month }: Bundle,
  nowMs: number,
  errors: ReadonlyMap<string, string> = new Map(),
  counts: ReadonlyMap<string, number> = new Map(),
): Promise<void> => {
  const now = new Date(nowMs)
  const waitMs = sql<number>`least(${firstWaitMs} * power(2, least(failures, 20)), ${longestWaitMs})`
  for (const { customer_id, meter_id, metering_point_id } of meters) {
    const error = errors.get(metering_point_id)
    await updateRows(tx, customer_id, 'meter_month', { meter_id, month: month ?? '' })
      .set(
        error === undefined
          ? {
              finished_at: now,
              row_count: counts.get(metering_point_id) ?? 0,
              last_error: null,
              failures: 0,
              not_before: null,
            }
          : {
              last_error: error.slice(0, 500),
              failures: sql<number>`failures + 1`,
              not_before: sql<Date>`${now}::timestamptz + ${waitMs} * interval '1 millisecond'`,
            },
      )
      .execute()
  }
  await freeBundle(tx, meters)
}

export const freeBundle = async (tx: Tx, meters: readonly Due[]): Promise<void> => {
  await sql`update meter set claimed_until = null where meter_id = any(${meters.map(({ meter_id }) => meter_id)}::uuid[])`.execute(
    tx,
  )
}
