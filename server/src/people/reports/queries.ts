import type { ReportFormat, ReportResult } from '@gridmast/contract/people/reports.ts'
import type { ReportInterval } from '@gridmast/contract/people/report-sources.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, insertRow, insertRows, lockRow, sqlRows, updateRows } from '#platform/records/rows.ts'
import { byName } from '#platform/http/list-query.ts'

export type ReaderOf = { reader_id: string; email: string; unconfirmed: boolean }

export type ReportRow = {
  customer_id: string
  report_id: string
  owner_id: string
  owner: string
  name: string
  address: string
  every: ReportInterval
  at_time: string
  format: ReportFormat
  skip_empty: boolean
  paused: boolean
  next_at: Date
  requested_at: Date | null
  retry_at: Date | null
  tries: number
  last_at: Date | null
  last_result: ReportResult | null
  readers: ReaderOf[]
}

const reports = (tx: Tx, where = sql`true`) =>
  sqlRows<ReportRow>(tx)`
    select r.*, u.email as owner, coalesce((
      select jsonb_agg(jsonb_build_object('reader_id', p.reader_id, 'email', p.email,
        'unconfirmed', not is_confirmed(p.customer_id, p.email)) order by lower(p.email))
      from report_reader p where p.customer_id = r.customer_id and p.report_id = r.report_id), '[]') as readers
    from report r join app_user u on u.customer_id = r.customer_id and u.user_id = r.owner_id
    where ${where} order by ${byName(sql`r.name`)}, r.report_id`

export const findReports = (tx: Tx, customerId: string) => reports(tx, sql`r.customer_id = ${customerId}`)

export const getReport = async (tx: Tx, customerId: string, reportId: string): Promise<ReportRow> => {
  const [row] = await reports(tx, sql`r.customer_id = ${customerId} and r.report_id = ${reportId}`)
  if (!row) throw notFound()
  return row
}

export const lockReport = async (tx: Tx, customerId: string, reportId: string): Promise<ReportRow> => {
  await lockRow(tx, customerId, 'report', { report_id: reportId }, ['report_id'])
  return getReport(tx, customerId, reportId)
}

/** Reports at a time; the others are due at the next run. */
const mostAtOnce = 50

/** A request is sent also while the schedule is paused. */
const dueAt = sql`case when requested_at is not null or not paused then coalesce(retry_at, requested_at, next_at) end`

export const findDueReports = (tx: Tx, nowMs: number) =>
  reports(
    tx,
    sql`(r.customer_id, r.report_id) in (
      select customer_id, report_id from report where ${dueAt} <= ${new Date(nowMs)} order by ${dueAt} limit ${mostAtOnce})`,
  )

export type NewReport = Pick<
  ReportRow,
  'report_id' | 'owner_id' | 'name' | 'address' | 'every' | 'at_time' | 'format' | 'skip_empty' | 'next_at'
>

export const addReport = (tx: Tx, customerId: string, row: NewReport) =>
  insertRow(tx, customerId, 'report', row).execute()

type Changed = Partial<Omit<ReportRow, 'customer_id' | 'report_id' | 'owner' | 'readers'>>

export const saveReport = (tx: Tx, customerId: string, reportId: string, changed: Changed) =>
  updateRows(tx, customerId, 'report', { report_id: reportId }).set(changed).execute()

/** Existing recipients keep their stop link. */
export const saveReaders = async (tx: Tx, customerId: string, reportId: string, emails: readonly string[]) => {
  const lower = emails.map((email) => email.toLowerCase())
  await deleteRows(tx, customerId, 'report_reader', { report_id: reportId })
    .where(sql`lower(email)`, 'not in', lower)
    .execute()
  const rows = emails.map((email) => ({ customer_id: customerId, reader_id: newId(), report_id: reportId, email }))
  await sql`${insertRows('report_reader', rows)} on conflict do nothing`.execute(tx)
}

export const removeReport = (tx: Tx, customerId: string, reportId: string) =>
  deleteRows(tx, customerId, 'report', { report_id: reportId }).execute()

/** False where the report was changed, sent or removed in the meantime: its mails are not queued. */
export const markReported = async (
  tx: Tx,
  { customer_id, report_id, next_at, requested_at }: ReportRow,
  { at, result, nextAt }: { at: Date; result: ReportResult; nextAt: Date },
): Promise<boolean> => {
  const rows = await sqlRows<{ report_id: string }>(tx)`
    update report set last_at = ${at}, last_result = ${result}, next_at = ${nextAt}, requested_at = null, retry_at = null, tries = 0
    where customer_id = ${customer_id} and report_id = ${report_id} and next_at = ${next_at}
      and requested_at is not distinct from ${requested_at}::timestamptz
    returning report_id`
  return rows.length > 0
}

const firstWaitMs = 5 * minuteMs
/** Waits double from five minutes: the last try is 75 minutes after the first. */
export const maxTries = 5

export const markRetry = (tx: Tx, { customer_id, report_id, tries }: ReportRow, nowMs: number) =>
  updateRows(tx, customer_id, 'report', { report_id })
    .set({ tries: tries + 1, retry_at: new Date(nowMs + firstWaitMs * 2 ** tries) })
    .execute()
