import { buffer } from 'node:stream/consumers'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import {
  isDashboard,
  type ReportPath,
  reportPartsOf,
  reportSourceOf,
  reportSources,
} from '@gridmast/contract/people/report-sources.ts'
import type { ReportResult } from '@gridmast/contract/people/reports.ts'
import { can } from '@gridmast/contract/roles.ts'
import { formatDate, localDateOf } from '@gridmast/contract/time.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '#access/gates.ts'
import { findUser, type Viewer } from '#access/viewer.ts'
import { type App, ownOf } from '#context.ts'
import { drawDocument } from '#platform/files/document.ts'
import { tablesDocument } from '#platform/files/table-document.ts'
import { type Cell, sheetsOf, type ReadTable, tableStream, type TableFile } from '#platform/files/table-file.ts'
import type { ReadCache } from '#platform/records/read-cache.ts'
import type { Records } from '#platform/records/records.ts'
import { Refusal } from '#platform/http/errors.ts'
import { type BoundRoute, isFileOrReply, readInput } from '#platform/http/route.ts'
import { type Attachment, attachedBytes, maxAttachedBytes } from '#platform/messaging/mail.ts'
import type { ReportRow } from './queries.ts'
import { daysText, periodOf } from './schedule.ts'

type Period = ReturnType<typeof periodOf>

/** Parameters of the screen that the report sets itself; `kept`: days of the screen. */
const replaced = ['limit', 'skip', 'format']
const replacedDays = ['startDate', 'endDate', 'date', 'start', 'end', 'month']

const parametersOf = (address: string) => new URLSearchParams(address.split('?').slice(1).join('?'))

const queryOf = (address: string, days: (typeof reportSources)[ReportPath], period: Period) => {
  const query = parametersOf(address)
  for (const name of days === 'kept' ? replaced : [...replaced, ...replacedDays]) query.delete(name)
  const { first, last } = period
  if (days === 'range') {
    query.set('startDate', first)
    query.set('endDate', last)
  }
  if (days === 'day') {
    query.set('date', first)
    query.delete('days')
    query.delete('view')
  }
  if (days === 'month') query.set('month', first.slice(0, 7))
  query.set('format', 'xlsx')
  return Object.fromEntries(query)
}

/** The one export that is posted has its meters and days in the body. */
const requestOf = (address: string, days: (typeof reportSources)[ReportPath], period: Period, isPosted: boolean) => {
  const query = queryOf(address, days, period)
  if (!isPosted) return { query, body: undefined }
  const { startDate, endDate, devices: _, ...rest } = query
  return { query: rest, body: { devices: parametersOf(address).getAll('devices'), startDate, endDate } }
}

/** The call of an address with its input, as if the viewer opened it; throws the refusal that the viewer would get. */
export const openExport = (routes: readonly BoundRoute[], viewer: Viewer, address: string, period: Period) => {
  const source = reportSourceOf(address)
  const isExport = ({ call }: BoundRoute) => call.path === source?.path && call.query && 'format' in call.query.shape
  const bound = source && routes.find(isExport)
  if (!source || !bound) throw new Refusal(400, m.reportNotSendable, { errors: { address: m.reportNotSendable } })
  const days = reportSources[source.path]
  const refused = refuse(viewer, bound.call)
  if (refused) throw new Refusal(403, refused)
  const { query, body } = requestOf(address, days, period, bound.call.method === 'POST')
  const input = readInput(bound.call, { params: source.params, query }, body)
  return { ...bound, input, isPresent: days === 'none' || days === 'kept' }
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
  | {
      result: 'sent'
      days: string | null
      isSimulated: boolean
      file: Attachment
      rows: number
      isAll: boolean
      omitted: number
    }

type Making = { app: App; routes: readonly BoundRoute[]; nowMs: number; customerId: string; company: string }

type Part = { file: ReadTable; isAll: boolean; isPresent: boolean }
type Parts = [Part, ...Part[]]

const written = async (parts: Parts, of: { report: ReportRow; days: string; making: Making }) => {
  const { report, days, making } = of
  const files = parts.map(({ file }) => file)
  if (report.format === 'xlsx') {
    if (!isDashboard(report.address)) return buffer(tableStream(parts[0].file, 'xlsx'))
    return sheetsOf(files)
  }
  const { company, nowMs } = making
  const maxRows = isDashboard(report.address) ? limits.reportPartPdfRows : limits.reportPdfRows
  const head = { title: report.name, under: `${company} · ${days}`, madeAt: new Date(nowMs) }
  return drawDocument(making.customerId, tablesDocument(files, { ...head, maxRows }))
}

const resultOf: Record<number, 'no-right' | 'not-available'> = { 403: 'no-right', 404: 'not-available' }

const makePart = async (
  making: Making,
  viewer: Viewer,
  of: { report: ReportRow; address: string; period: Period; most: number },
) => {
  const { app, routes, nowMs } = making
  const { report, address, period, most } = of
  const { handle, input, isPresent } = openExport(routes, viewer, address, period)
  const at = { requestId: `report ${report.report_id}`, nowMs }
  const own = ownOf({ records: app.records, readCache: uncached(app.records) }, viewer, at)
  const unused = { request: {} as FastifyRequest, reply: {} as FastifyReply } // exports read neither
  const answer = await handle({ ...input, file: null, app, viewer, ...at, ...own, ...unused } as never) // as in bindRoute
  if (!isFileOrReply(answer) || !('file' in answer)) throw new Error(`${address} answered no table`)
  const { rows, isAll } = await readRows(answer.file, most)
  return { file: { ...answer.file, rows }, isAll, isPresent }
}

/** Cards of a dashboard that the owner may no longer read, or that are gone, are omitted; the last refusal where none is left. */
const makeParts = async (making: Making, viewer: Viewer, of: { report: ReportRow; period: Period }): Promise<Parts> => {
  const addresses = reportPartsOf(of.report.address)
  const parts: Part[] = []
  let refused: Refusal | undefined
  for (const [i, address] of addresses.entries()) {
    const used = parts.reduce((sum, { file }) => sum + file.rows.length, 0)
    const most = limits.reportRows - used - (addresses.length - 1 - i) * limits.reportPdfRows
    try {
      parts.push(await makePart(making, viewer, { ...of, address, most }))
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 429) throw error
      refused = error
    }
  }
  const [first, ...more] = parts
  if (!first) throw refused ?? new Error(`${of.report.address} has no parts`)
  return [first, ...more]
}

/** The file of a report with the rights that its owner has now, or why there is none. */
export const makeReport = async (making: Making, report: ReportRow): Promise<Made> => {
  const { app, nowMs } = making
  const { customer_id, owner_id, every, format } = report
  const none = { days: null, isSimulated: false }
  const viewer = await app.records.system((tx) => findUser(tx, customer_id, owner_id))
  if (!viewer) return { result: 'owner-gone', ...none }
  if (!can(viewer, 'report.edit')) return { result: 'no-right', ...none }
  const period = periodOf(every, report.requested_at ? nowMs : report.next_at.getTime())
  try {
    const parts = await makeParts(making, viewer, { report, period })
    const days = parts.every(({ isPresent }) => isPresent) ? null : daysText(period)
    const [{ file }] = parts
    const abouts = parts.flatMap((part) => Object.values(part.file.about ?? {}))
    const isSimulated = abouts.some((text) => text.includes('imulated'))
    const count = parts.reduce((sum, part) => sum + part.file.rows.length, 0)
    if (count === 0) return { result: report.skip_empty ? 'skipped' : 'empty', days, isSimulated }
    const ofFile = parts.length === 1 ? file.about?.['Period'] : undefined
    const content = await written(parts, { report, days: days ?? ofFile ?? formatDate(localDateOf(nowMs)), making })
    const fileName = isDashboard(report.address) ? `${report.name} ${period.first}` : file.fileName
    const attached = {
      name: `${fileName.replaceAll(/[^\p{L}\p{N}.-]+/gu, '_')}.${format}`,
      base64: content.toString('base64'),
    }
    const bytes = attachedBytes([attached])
    if (bytes > maxAttachedBytes || bytes * report.readers.length > limits.reportBytes)
      return { result: 'too-large', days, isSimulated }
    // A section of a dashboard states its own number of rows.
    const rows = format === 'pdf' && !isDashboard(report.address) ? Math.min(count, limits.reportPdfRows) : count
    const isAll = parts.every((part) => part.isAll) && rows === count
    const omitted = reportPartsOf(report.address).length - parts.length
    return { result: 'sent', days, isSimulated, file: attached, rows, isAll, omitted }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 429) throw error
    return { result: resultOf[error.status] ?? 'failed', ...none }
  }
}
