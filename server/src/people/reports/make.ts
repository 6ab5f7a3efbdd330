import { buffer } from 'node:stream/consumers'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type ReportPath, reportSourceOf, reportSources } from '@gridmast/contract/people/report-sources.ts'
import type { ReportFormat, ReportResult } from '@gridmast/contract/people/reports.ts'
import { can } from '@gridmast/contract/roles.ts'
import { formatDate, localDateOf } from '@gridmast/contract/time.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '#access/gates.ts'
import { findUser, type Viewer } from '#access/viewer.ts'
import { type App, ownOf } from '#context.ts'
import { drawDocument } from '#platform/files/document.ts'
import { tableDocument } from '#platform/files/table-document.ts'
import { type Cell, type TableFile, tableStream } from '#platform/files/table-file.ts'
import type { ReadCache } from '#platform/records/read-cache.ts'
import type { Records } from '#platform/records/records.ts'
import { Refusal } from '#platform/http/errors.ts'
import { type BoundRoute, isFileOrReply, readInput } from '#platform/http/route.ts'
import { type Attachment, attachedBytes, maxAttachedBytes } from '#platform/messaging/mail.ts'
import type { ReportRow } from './queries.ts'
import { daysText, periodOf } from './schedule.ts'

type Period = ReturnType<typeof periodOf>

/** Parameters of the screen that the report sets itself. */
const replaced = ['limit', 'skip', 'format', 'startDate', 'endDate', 'date', 'start', 'end', 'month']

const queryOf = (address: string, days: (typeof reportSources)[ReportPath], period: Period) => {
  const query = new URLSearchParams(address.split('?').slice(1).join('?'))
  for (const name of replaced) query.delete(name)
  const { first, last } = period
  if (days === 'range') {
    query.set('startDate', first)
    query.set('endDate', last)
  }
  if (days === 'day') {
    query.set('date', first)
    query.delete('days')
  }
  if (days === 'month') query.set('month', first.slice(0, 7))
  query.set('format', 'xlsx')
  return Object.fromEntries(query)
}

/** The call of an address with its input, as if the viewer opened it; throws the refusal that the viewer would get. */
export const openExport = (routes: readonly BoundRoute[], viewer: Viewer, address: string, period: Period) => {
  const source = reportSourceOf(address)
  const bound = source && routes.find(({ call }) => call.method === 'GET' && call.path === source.path)
  if (!source || !bound) throw new Refusal(400, m.reportNotSendable, { errors: { address: m.reportNotSendable } })
  const days = reportSources[source.path]
  const refused = refuse(viewer, bound.call)
  if (refused) throw new Refusal(403, refused)
  const request = { params: source.params, query: queryOf(address, days, period) }
  return { ...bound, input: readInput(bound.call, request, undefined), isPresent: days === 'none' }
}

const uncached = (records: Records): ReadCache => ({
  rows: (customerId, _nowMs, read, ...of) => records.tenant(customerId, (tx) => read(tx, customerId, ...of)),
  forget: () => {},
})

const readRows = async ({ rows }: TableFile, most: number): Promise<{ rows: Cell[][]; isAll: boolean }> => {
  const read: Cell[][] = []
  for await (const row of rows) {
    if (read.length === most) return { rows: read, isAll: false }
    read.push(row)
  }
  return { rows: read, isAll: true }
}

type Made =
  | { result: Exclude<ReportResult, 'sent'>; days: string | null; isSimulated: boolean }
  | { result: 'sent'; days: string | null; isSimulated: boolean; file: Attachment; rows: number; isAll: boolean }

type Making = { app: App; routes: readonly BoundRoute[]; nowMs: number; customerId: string; company: string }

const written = async (
  file: TableFile & { rows: Cell[][] },
  of: { format: ReportFormat; name: string; days: string; making: Making },
) => {
  const { format, name, days, making } = of
  if (format === 'xlsx') return buffer(tableStream(file, 'xlsx'))
  const { company, nowMs } = making
  const under = `${company} · ${days}`
  return drawDocument(
    making.customerId,
    tableDocument(file, { title: name, under, madeAt: new Date(nowMs), maxRows: limits.reportPdfRows }),
  )
}

const resultOf: Record<number, 'no-right' | 'not-available'> = { 403: 'no-right', 404: 'not-available' }

/** The file of a report with the rights that its owner has now, or why there is none. */
export const makeReport = async (making: Making, report: ReportRow): Promise<Made> => {
  const { app, routes, nowMs } = making
  const { customer_id, owner_id, address, every, format, name } = report
  const none = { days: null, isSimulated: false }
  const viewer = await app.records.system((tx) => findUser(tx, customer_id, owner_id))
  if (!viewer) return { result: 'owner-gone', ...none }
  if (!can(viewer, 'report.edit')) return { result: 'no-right', ...none }
  const period = periodOf(every, report.requested_at ? nowMs : report.next_at.getTime())
  try {
    const { handle, input, isPresent } = openExport(routes, viewer, address, period)
    const at = { requestId: `report ${report.report_id}`, nowMs }
    const own = ownOf({ records: app.records, readCache: uncached(app.records) }, viewer, at)
    const unused = { request: {} as FastifyRequest, reply: {} as FastifyReply } // exports read neither
    const answer = await handle({ ...input, file: null, app, viewer, ...at, ...own, ...unused } as never) // as in bindRoute
    if (!isFileOrReply(answer) || !('file' in answer)) throw new Error(`${address} answered no table`)
    const days = isPresent ? null : daysText(period)
    const { file } = answer
    const read = await readRows(file, limits.reportRows)
    const isSimulated = Object.values(file.about ?? {}).some((text) => text.includes('imulated'))
    if (read.rows.length === 0) return { result: report.skip_empty ? 'skipped' : 'empty', days, isSimulated }
    const content = await written(
      { ...file, rows: read.rows },
      { format, name, days: days ?? formatDate(localDateOf(nowMs)), making },
    )
    const attached = {
      name: `${file.fileName.replace(/[^\w.-]+/g, '_')}.${format}`,
      base64: content.toString('base64'),
    }
    const bytes = attachedBytes([attached])
    if (bytes > maxAttachedBytes || bytes * report.readers.length > limits.reportBytes)
      return { result: 'too-large', days, isSimulated }
    const rows = Math.min(read.rows.length, format === 'pdf' ? limits.reportPdfRows : limits.reportRows)
    return { result: 'sent', days, isSimulated, file: attached, rows, isAll: read.isAll && rows === read.rows.length }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 429) throw error
    return { result: resultOf[error.status] ?? 'failed', ...none }
  }
}
