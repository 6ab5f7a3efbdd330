import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import {
  type ReportInterval,
  reportIntervalsOf,
  reportPartsOf,
  storedAddress,
} from '@gridmast/contract/people/report-sources.ts'
import * as contract from '@gridmast/contract/people/reports.ts'
import type { Viewer } from '#access/viewer.ts'
import { ownRoute, route } from '#context.ts'
import { queueConfirmations } from '#people/letters/address-confirmation.ts'
import { forbidden, invalid, Refusal } from '#platform/http/errors.ts'
import type { BoundRoute } from '#platform/http/route.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, lockCustomer, selectRows } from '#platform/records/rows.ts'
import { openExport } from './make.ts'
import {
  addReport,
  findReports,
  getReport,
  lockReport,
  removeReport,
  type ReportRow,
  saveReaders,
  saveReport,
} from './queries.ts'
import { nextAt, periodOf } from './schedule.ts'
import { reportsJobName } from './send.ts'

const isEditable = (viewer: Viewer, { owner_id }: ReportRow) =>
  owner_id === viewer.userId || viewer.userRole === 'sudoer'

const toReport = (viewer: Viewer, row: ReportRow): contract.Report => ({
  _id: row.report_id,
  name: row.name,
  address: row.address,
  readers: row.readers.map(({ email, unconfirmed }) => ({ email, ...(unconfirmed && { unconfirmed: true }) })),
  every: row.every,
  time: row.at_time,
  format: row.format,
  skipEmpty: row.skip_empty,
  paused: row.paused,
  owner: row.owner,
  editable: isEditable(viewer, row),
  nextAt: row.paused ? null : row.next_at.toISOString(),
  waiting: row.requested_at !== null || (row.retry_at !== null && !row.paused),
  last: row.last_at && row.last_result && { at: row.last_at.toISOString(), result: row.last_result },
})

const onTrail = ({ name, address, readers, every, time, format, skipEmpty, paused }: contract.Report) => ({
  name,
  address,
  readers: readers.map(({ email }) => email),
  every,
  time,
  format,
  skipEmpty,
  paused,
})

const checkInterval = (address: string, every: ReportInterval) => {
  const intervals = reportIntervalsOf(address)
  if (intervals.length === 0) throw invalid({ address: m.reportNotSendable })
  if (!intervals.includes(every))
    throw invalid({ every: intervals.includes('daily') ? m.reportOfDay : m.reportOfMonth })
}

const lockEditable = async (tx: Tx, customerId: string, viewer: Viewer, reportId: string): Promise<ReportRow> => {
  const row = await lockReport(tx, customerId, reportId)
  if (!isEditable(viewer, row)) throw forbidden(m.reportOfOther)
  return row
}

const find = ownRoute(contract.findReports, async (tx, customerId, { viewer }) => ({
  reports: (await findReports(tx, customerId)).map((row) => toReport(viewer, row)),
}))

/** `routes` answer the exports; what its caller may not export is refused before it is stored. */
const add = (routes: readonly BoundRoute[]) =>
  ownRoute(contract.addReport, async (tx, customerId, { app, audit, viewer, nowMs, body }) => {
    const { name, emails, every, time, format, skipEmpty } = body
    const address = storedAddress(body.address)
    checkInterval(address, every)
    for (const part of reportPartsOf(address)) openExport(routes, viewer, part, periodOf(every, nowMs))
    await lockCustomer(tx, customerId)
    if ((await countRows(selectRows(tx, customerId, 'report'))) >= limits.reports)
      throw new Refusal(409, m.tooManyReports(limits.reports))
    const report_id = newId(nowMs)
    const next_at = new Date(nextAt({ every, time }, nowMs))
    const given = { name, address, every, at_time: time, format, skip_empty: skipEmpty, next_at }
    await addReport(tx, customerId, { report_id, owner_id: viewer.userId, ...given })
    await saveReaders(tx, customerId, report_id, emails)
    await queueConfirmations(tx, app.config, { customerId, emails, nowMs })
    const report = toReport(viewer, await getReport(tx, customerId, report_id))
    await audit(tx, 'report.add', name, { after: onTrail(report) })
    return { report }
  })

const change = ownRoute(
  contract.changeReport,
  async (tx, customerId, { app, audit, viewer, nowMs, params: { id }, body }) => {
    const row = await lockEditable(tx, customerId, viewer, id)
    const before = toReport(viewer, row)
    const { name = row.name, every = row.every, time = row.at_time, format = row.format } = body
    const { skipEmpty = row.skip_empty, paused = row.paused, emails } = body
    checkInterval(row.address, every)
    const isSameTime = every === row.every && time === row.at_time && paused === row.paused
    await saveReport(tx, customerId, id, {
      name,
      every,
      at_time: time,
      format,
      skip_empty: skipEmpty,
      paused,
      ...(isSameTime ? {} : { next_at: new Date(nextAt({ every, time }, nowMs)), retry_at: null, tries: 0 }),
      ...(paused ? { requested_at: null } : {}),
    })
    if (emails) {
      await saveReaders(tx, customerId, id, emails)
      await queueConfirmations(tx, app.config, { customerId, emails, nowMs })
    }
    const report = toReport(viewer, await getReport(tx, customerId, id))
    await audit(tx, 'report.change', name, { before: onTrail(before), after: onTrail(report) })
    return { report }
  },
)

const sendNow = route(contract.sendReport, async ({ app, own, viewer, nowMs, params: { id } }) => {
  await own(async (tx, customerId) => {
    const row = await lockEditable(tx, customerId, viewer, id)
    if (row.requested_at) throw new Refusal(409, m.reportAlreadyRequested)
    const waitMs = row.last_at ? row.last_at.getTime() + limits.reportEveryMs - nowMs : 0
    if (waitMs > 0) throw new Refusal(429, m.tooMany, { retryAfterS: Math.ceil(waitMs / 1000) })
    await saveReport(tx, customerId, id, { requested_at: new Date(nowMs), retry_at: null, tries: 0 })
  })
  await app.jobs.kick(reportsJobName)
})

const remove = ownRoute(contract.removeReport, async (tx, customerId, { audit, viewer, params: { id } }) => {
  const before = toReport(viewer, await lockEditable(tx, customerId, viewer, id))
  await removeReport(tx, customerId, id)
  await audit(tx, 'report.remove', before.name, { before: onTrail(before) })
})

export const reportRoutes = (routes: readonly BoundRoute[]): BoundRoute[] => [
  find,
  add(routes),
  change,
  sendNow,
  remove,
]
