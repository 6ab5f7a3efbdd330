import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/meters/scope-2.ts'
import { today } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import { makeReport } from './make.ts'
import { findReports, getReport, removeReport } from './queries.ts'
import { headOf, readReport } from './report.ts'
import { reportFile } from './files.ts'

const find = route(contract.findScopeReports, ({ own, query }) =>
  own(async (tx, customerId) => {
    const { rows, totalCount } = await findReports(tx, customerId, query)
    return { reports: rows.map(headOf), totalCount }
  }),
)

const make = route(contract.makeScopeReport, async ({ app, viewer, own, audit, nowMs, body }) => {
  const { meters, startDate: start, endDate: end } = body
  if (end >= today(nowMs)) throw invalid({ endDate: m.periodNotOver })
  const asked = { meterIds: meters, period: { start, end }, madeBy: viewer.email, nowMs }
  const { reportId, isNew } = await makeReport(app, { own, audit }, asked)
  const report = await readReport(app, own, reportId)
  return { message: isNew ? m.scopeReportMade : m.scopeReportSame, data: { report, isNew } }
})

const get = route(contract.getScopeReport, async ({ app, own, params }) => ({
  report: await readReport(app, own, params.reportId),
}))

const remove = route(contract.removeScopeReport, async ({ own, audit, params }) => {
  await own(async (tx, customerId) => {
    const report = await getReport(tx, customerId, params.reportId)
    if (!(await removeReport(tx, customerId, params.reportId))) throw notFound()
    await audit(tx, 'scope-2.remove', `${report.start_date} to ${report.end_date}`, {
      before: { report: report.report_id, meters: report.meters, inputs: report.inputs_sha256.toString('hex') },
    })
  })
})

const file = route(contract.scopeReportFile, ({ app, own, params, query }) =>
  reportFile(app, own, params.reportId, query),
)

export const scope2 = [find, make, get, remove, file]
