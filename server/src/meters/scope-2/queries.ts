import type { PublishedSource } from '@gridmast/contract/source.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { gridAreaOf } from '#grid/published/emission.ts'
import { notFound } from '#platform/http/errors.ts'
import { orderBy, page, type Paged } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, selectRows } from '#platform/records/rows.ts'
import { getMeters } from '#meters/data-hub/queries.ts'
import type { DayReadings } from '#meters/data-hub/day-readings.ts'
import type { Emitted } from './emitted.ts'

/** Local days, both included. */
export type Period = { start: LocalDate; end: LocalDate }

export const getReportMeters = async (tx: Tx, customerId: string, meterIds: readonly string[]) =>
  (await getMeters(tx, customerId, meterIds)).map((meter) => ({
    meter_id: meter.meter_id,
    metering_point_id: meter.metering_point_id,
    name: meter.name,
    cvr: meter.cvr,
    site: meter.address,
    area: gridAreaOf(meter),
  }))
type ReportMeter = Awaited<ReturnType<typeof getReportMeters>>[number]

export type VersionedDay = DayReadings & { version: number }

export const findVersions = (
  tx: Tx,
  customerId: string,
  meterId: string,
  start: LocalDate,
  versions: readonly number[],
) => sqlRows<VersionedDay>(tx)`
    select w.day::text, w.version, coalesce(d.step_s, r.step_s) as step_s, coalesce(d.wh, r.wh) as wh, coalesce(d.quality, r.quality) as quality
    from (select ${start}::date + (n - 1)::int as day, version from unnest(${versions}::int[]) with ordinality as v(version, n) where version > 0) w
    left join meter_day d on d.customer_id = ${customerId} and d.meter_id = ${meterId} and d.day = w.day and d.version = w.version
    left join meter_day_revision r on r.customer_id = ${customerId} and r.meter_id = ${meterId} and r.day = w.day and r.version = w.version
    where coalesce(d.day, r.day) is not null order by w.day`

export type Changes = {
  previousId: string
  days: { meter: string; day: LocalDate; before: VersionSum; after: VersionSum }[]
  dayCount: number
  factorHours: { area: string; hours: number }[]
}
export type VersionSum = { version: number; kwh: string | null }

// JSON columns contain what this file wrote: their types are asserted, not parsed.

const meterCount = sql<number>`(select count(*)::int from scope_2_meter m
  where m.customer_id = scope_2_report.customer_id and m.report_id = scope_2_report.report_id)`

const reports = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'scope_2_report')
    .select(['report_id', 'made_at', 'made_by', 'start_date', 'end_date', 'company', 'inputs_sha256'])
    .select([
      sql<Emitted>`total`.as('total'),
      sql<{ month: string; total: Emitted }[]>`months`.as('months'),
      sql<Changes | null>`changes`.as('changes'),
      sql<{ readings: PublishedSource; emission: PublishedSource }>`sources`.as('sources'),
      meterCount.as('meters'),
    ])

export type ReportRow = Awaited<ReturnType<typeof getReport>>

const numberOf = (key: keyof Emitted) => sql`(total ->> ${sql.lit(key)})::numeric`
const readS = sql`(${numberOf('measuredS')} + ${numberOf('estimatedS')} + ${numberOf('incompleteS')})`
const sortColumns = {
  period: sql`start_date`,
  kgCo2: sql`case when ${readS} > ${numberOf('withoutFactorS')} then ${numberOf('grams')} end`,
  kwh: sql`case when ${readS} > 0 then ${numberOf('wh')} end`,
  meters: meterCount,
  madeAt: sql`made_at`,
  madeBy: sql`lower(made_by)`,
}

export const findReports = (tx: Tx, customerId: string, paged: Paged<keyof typeof sortColumns>) =>
  page(reports(tx, customerId).orderBy(orderBy(paged, sortColumns, sql`made_at desc, report_id desc`)), paged)

export const findReport = (tx: Tx, customerId: string, reportId: string) =>
  reports(tx, customerId).where('report_id', '=', reportId).executeTakeFirst()

export const getReport = async (tx: Tx, customerId: string, reportId: string) => {
  const report = await findReport(tx, customerId, reportId)
  if (!report) throw notFound()
  return report
}

export const findPrevious = (tx: Tx, customerId: string, choice: Buffer) =>
  reports(tx, customerId)
    .where('choice_sha256', '=', choice)
    .orderBy('made_at', 'desc')
    .orderBy('report_id', 'desc')
    .limit(1)
    .executeTakeFirst()

export type UsedMeter = ReportMeter & { versions: number[]; total: Emitted }

export const findUsedMeters = (tx: Tx, customerId: string, reportId: string): Promise<UsedMeter[]> =>
  selectRows(tx, customerId, 'scope_2_meter', { report_id: reportId })
    .select(['meter_id', 'metering_point_id', 'name', 'cvr', 'site', 'area', 'versions'])
    .select(sql<Emitted>`total`.as('total'))
    .orderBy('position')
    .execute()

export type UsedFactors = { area: string; grams: (number | null)[] }

export const findUsedFactors = (tx: Tx, customerId: string, reportId: string): Promise<UsedFactors[]> =>
  selectRows(tx, customerId, 'scope_2_factor', { report_id: reportId })
    .select('area')
    .select(sql<(number | null)[]>`grams`.as('grams'))
    .orderBy('area')
    .execute()

export const countChanged = async (
  tx: Tx,
  customerId: string,
  { report_id, start_date }: { report_id: string; start_date: LocalDate },
): Promise<{ days: number; goneMeters: number }> => {
  const [row] = await sqlRows<{ days: number; gone: number }>(tx)`
    with used as (
      select u.meter_id, u.versions from scope_2_meter u
      where u.customer_id = ${customerId} and u.report_id = ${report_id}
    ), there as (
      select u.* from used u join meter m on m.customer_id = ${customerId} and m.meter_id = u.meter_id
    )
    select (select count(*)::int from used) - (select count(*)::int from there) as gone, (
      select count(*)::int from there t cross join unnest(t.versions) with ordinality v(version, n)
      left join meter_day d on d.customer_id = ${customerId} and d.meter_id = t.meter_id and d.day = ${start_date}::date + (n - 1)::int
      where coalesce(d.version, 0) <> v.version) as days`
  return { days: row?.days ?? 0, goneMeters: row?.gone ?? 0 }
}

type NewReportRow = {
  customer_id: string
  report_id: string
  made_at: Date
  made_by: string
  period: Period
  choice: Buffer
  inputs: Buffer
  company: string
  sources: { readings: PublishedSource; emission: PublishedSource }
  total: Emitted
  months: { month: string; total: Emitted }[]
  changes: Changes | null
}

export const addReport = async (
  tx: Tx,
  { period, choice, inputs, ...report }: NewReportRow,
  meters: readonly UsedMeter[],
  factors: readonly UsedFactors[],
): Promise<boolean> => {
  const { customer_id, report_id } = report
  const added = await tx
    .insertInto('scope_2_report')
    .values({
      ...report,
      start_date: period.start,
      end_date: period.end,
      choice_sha256: choice,
      inputs_sha256: inputs,
      sources: JSON.stringify(report.sources),
      total: JSON.stringify(report.total),
      months: JSON.stringify(report.months),
      changes: report.changes && JSON.stringify(report.changes),
    })
    .onConflict((conflict) => conflict.columns(['customer_id', 'inputs_sha256']).doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) return false
  const ids = { customer_id, report_id }
  for (let first = 0; first < meters.length; first += 100)
    await tx
      .insertInto('scope_2_meter')
      .values(
        meters
          .slice(first, first + 100)
          .map((meter, i) => ({ ...ids, position: first + i, ...meter, total: JSON.stringify(meter.total) })),
      )
      .execute()
  for (const { area, grams } of factors)
    await tx
      .insertInto('scope_2_factor')
      .values({ ...ids, area, grams: sql`${grams}::double precision[]` })
      .execute()
  return true
}
