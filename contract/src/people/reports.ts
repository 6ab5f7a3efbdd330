import { z } from 'zod'
import { call, id } from '#call.ts'
import { requiredText } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { emails, unconfirmed } from './email-subscriptions.ts'
import { reportIntervals } from './report-sources.ts'

export const reportFormats = ['xlsx', 'pdf'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** `too-large` is mailed with a link instead of the file; `sent` and `empty` are mailed as well. */
export const reportResults = [
  'sent',
  'empty',
  'too-large',
  'skipped',
  'no-recipients',
  'owner-gone',
  'no-right',
  'not-available',
  'failed',
] as const
export type ReportResult = (typeof reportResults)[number]

const every = z.enum(reportIntervals)
const format = z.enum(reportFormats)

const report = z.object({
  _id: id('report'),
  name: z.string(),
  address: z.string(),
  readers: z.array(z.object({ email: z.string(), unconfirmed })),
  every,
  time: z.string(),
  format,
  skipEmpty: z.boolean(),
  paused: z.boolean(),
  owner: z.string(),
  /** The caller may change it: the owner, and each user with the role Sudoer. */
  editable: z.boolean(),
  /** Null while it is paused. */
  nextAt: z.iso.datetime().nullable(),
  /** A report that is requested or retried. */
  waiting: z.boolean(),
  last: z.object({ at: z.iso.datetime(), result: z.enum(reportResults) }).nullable(),
})
export type Report = z.infer<typeof report>

const reportId = z.object({ id: id('report') })
const name = requiredText(limits.reportNameMax)
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, m.time)
/** Path and query of the call that exports it, such as `/client/data/event?market=FCR`. */
const address = requiredText(limits.reportAddressMax)

export const findReports = call({
  method: 'GET',
  path: '/client/report',
  summary: 'List the reports that are sent by email, with their next and last sending',
  may: 'report.edit',
  of: ['report'],
  response: z.object({ reports: z.array(report) }),
})

export const addReport = call({
  method: 'POST',
  path: '/client/report',
  summary: 'Send an export daily, weekly or monthly by email, with your rights at that time',
  may: 'report.edit',
  touches: ['report'],
  body: z.strictObject({ name, address, emails, every, time, format, skipEmpty: z.boolean() }),
  response: z.object({ report }),
  ok: m.reportSaved,
})

export const changeReport = call({
  method: 'PATCH',
  path: '/client/report/{id}',
  summary: 'Change or pause a report: your own, or with the role Sudoer any',
  may: 'report.edit',
  touches: ['report'],
  params: reportId,
  body: z.strictObject({
    name: name.optional(),
    emails: emails.optional(),
    every: every.optional(),
    time: time.optional(),
    format: format.optional(),
    skipEmpty: z.boolean().optional(),
    paused: z.boolean().optional(),
  }),
  response: z.object({ report }),
  ok: m.reportSaved,
})

export const sendReport = call({
  method: 'POST',
  path: '/client/report/{id}/send',
  summary: 'Send a report now, in addition to its schedule',
  may: 'report.edit',
  touches: ['report'],
  params: reportId,
  ok: m.reportRequested,
})

export const removeReport = call({
  method: 'DELETE',
  path: '/client/report/{id}',
  summary: 'Delete a report: your own, or with the role Sudoer any',
  may: 'report.edit',
  touches: ['report'],
  params: reportId,
  ok: m.reportDeleted,
})
