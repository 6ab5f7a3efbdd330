import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { reportStopId } from '#people/letters/stop-links.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { queueMails } from '#platform/messaging/mail.ts'
import type { BoundRoute } from '#platform/http/route.ts'
import { getRow } from '#platform/records/rows.ts'
import { reportMail } from './mails.ts'
import { makeReport } from './make.ts'
import { findDueReports, getReport, markReported, markRetry, maxTries, type ReportRow } from './queries.ts'
import { nextAt } from './schedule.ts'

export const reportsJobName = 'reports'

const nextOf = ({ every, at_time, next_at }: ReportRow, nowMs: number): Date =>
  next_at.getTime() > nowMs ? next_at : new Date(nextAt({ every, time: at_time }, nowMs))

const confirmed = ({ readers }: Pick<ReportRow, 'readers'>) => readers.filter(({ unconfirmed }) => !unconfirmed)

const send = async (app: App, routes: readonly BoundRoute[], report: ReportRow) => {
  const { records, clock, config, secret } = app
  const { customer_id: customerId, report_id: reportId, every } = report
  const nowMs = clock.now()
  const company = (await records.tenant(customerId, (tx) => getRow(tx, customerId, 'customer', {}, ['name']))).name
  const made =
    confirmed(report).length === 0
      ? ({ result: 'no-recipients', days: null, isSimulated: false } as const)
      : await makeReport({ app, routes, nowMs, customerId, company }, report)
  const { result, days, isSimulated } = made
  await records.system(async (tx) => {
    if (!(await markReported(tx, report, { at: new Date(nowMs), result, nextAt: nextOf(report, nowMs) }))) return
    if (result !== 'sent' && result !== 'empty' && result !== 'too-large') return
    const content =
      made.result === 'sent'
        ? ({ kind: 'file', file: made.file, rows: made.rows, isAll: made.isAll, omitted: made.omitted } as const)
        : ({ kind: result === 'empty' ? 'empty' : 'too-large' } as const)
    // Of this moment: a recipient may have left while the file was made.
    const { name, ...current } = await getReport(tx, customerId, reportId)
    const readers = confirmed(current)
    const mails = readers.map(({ reader_id, email }) => ({
      reader: { customerId, to: email },
      letter: reportMail({
        name,
        company,
        owner: report.owner,
        every,
        time: report.at_time,
        days,
        isSimulated,
        content,
        link: portalAddress(config, '/reports'),
        stopLink: portalAddress(config, `/auth/unsubscribe/${reportStopId(secret, reader_id)}`),
      }),
      when: { nowMs },
    }))
    for (const mail of mails) await queueMails(tx, [mail]) // one by one: each has its own copy of the file
    const after = { readers: readers.map(({ email }) => email), result, ...(days && { days }) }
    await writeAudit(tx, customerId, nowMs, { who: 'Gridmast', action: 'report.send', subject: name, after })
  })
}

const failed = async ({ records, clock, log }: App, report: ReportRow, error: unknown) => {
  const { customer_id: customerId, report_id: reportId, tries } = report
  log.error({ err: error, customerId, reportId, tries }, 'report not sent')
  const nowMs = clock.now()
  const given = { at: new Date(nowMs), result: 'failed', nextAt: nextOf(report, nowMs) } as const
  await records.system(async (tx) => {
    if (tries + 1 < maxTries) await markRetry(tx, report, nowMs)
    else await markReported(tx, report, given)
  })
}

export const sendDueReports = async (app: App, routes: readonly BoundRoute[]): Promise<void> => {
  const due = await app.records.system((tx) => findDueReports(tx, app.clock.now()))
  await forEachIsolated(
    due,
    // A store's time limit concerns this report, not the run.
    (report) => send(app, routes, report).catch((error: unknown) => failed(app, report, error)),
    (report, error) => app.log.error({ err: error, reportId: report.report_id }, 'report not sent'),
  )
}

/** `routes` answer the exports: each report is a call in the name of its owner. */
export const reportsJob = (routes: readonly BoundRoute[]): Job<App> => ({
  name: reportsJobName,
  cron: '* * * * *',
  retries: 0,
  run: (app) => sendDueReports(app, routes),
})
