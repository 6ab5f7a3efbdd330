import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/meters/scope-2.ts'
import type { ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { datesBetween, hourMs, today } from '@gridmast/contract/time.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import type { Own, FileOrReply } from '#platform/http/route.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile } from '#platform/files/table-file.ts'
import { type App, ownRoute, route } from '#context.ts'
import { gramsOf, hoursOf, type Hour } from './emitted.ts'
import { spanOf, readReport, createReport, headOf } from './report.ts'
import { reportDocument } from './pdf.ts'
import { findUsedFactors, findUsedMeters, findVersions, type UsedMeter, findReports, getReport } from './queries.ts'
import { deleteRows, hasRow } from '#platform/records/rows.ts'

type MeterOf = { cvr: string | null; site: string; name: string; meteringPointId: string; area: string | null }

const meterColumns = <Row>(meterOf: (row: Row) => MeterOf): Column<Row>[] => [
  column.text('CVR', (row) => meterOf(row).cvr, 12),
  column.text('Site', (row) => meterOf(row).site, 30),
  column.text('Meter Name', (row) => meterOf(row).name, 28),
  column.text('Meter Id', (row) => meterOf(row).meteringPointId, 22),
  column.text('Area', (row) => meterOf(row).area, 8),
]

type MeterHour = { meter: UsedMeter; version: number | undefined; hour: Hour }

const hoursOrNull = (seconds: number) => (seconds === 0 ? null : seconds / 3600)
const kgOf = (hour: Hour) => {
  const grams = gramsOf(hour)
  return grams === null ? null : grams / 1000
}

const hourColumns: Column<MeterHour>[] = [
  ...meterColumns<MeterHour>(({ meter }) => ({ ...meter, meteringPointId: meter.metering_point_id })),
  column.instant('Start', ({ hour }) => hour.fromMs),
  column.instant('End', ({ hour }) => hour.fromMs + hourMs),
  column.kwh('Consumption', ({ hour }) => (hour.wh === null ? null : hour.wh / 1000)),
  column.text('Measured (h)', ({ hour }) => hoursOrNull(hour.measuredS), 12),
  column.text('Estimated (h)', ({ hour }) => hoursOrNull(hour.estimatedS), 12),
  column.text('Incomplete (h)', ({ hour }) => hoursOrNull(hour.incompleteS), 12),
  column.number('Factor of the grid (g/kWh)', 1, ({ hour }) => hour.gramsPerKwh),
  column.number('Emission (kg CO2)', 6, ({ hour }) => kgOf(hour)),
  column.text('Version of the day', ({ version }) => version, 16),
]

type MeterTotal = ScopeReport['meterRows'][number]

const totalColumns: Column<MeterTotal>[] = [
  ...meterColumns<MeterTotal>((meter) => ({ ...meter, cvr: meter.key })),
  column.kwh('Consumption', (meter) => meter.kwh),
  column.number('Emission (kg CO2)', 6, (meter) => meter.kgCo2),
  column.kwh('Consumption without a factor', (meter) => meter.kwhWithoutFactor),
  column.text('Hours', ({ hours }) => hours.all, 14),
  column.text('Measured (h)', ({ hours }) => hours.measured, 14),
  column.text('Estimated (h)', ({ hours }) => hours.estimated, 14),
  column.text('Incomplete (h)', ({ hours }) => hours.incomplete, 14),
  column.text('Missing (h)', ({ hours }) => hours.missing, 14),
  column.text('Without a factor (h)', ({ hours }) => hours.withoutFactor, 14),
  column.text('Days received', ({ days }) => days.read, 12),
  column.text('Changed days', ({ days }) => days.revised, 12),
  column.text('Highest version', ({ days }) => days.version, 14),
]

async function* hourRows(own: Own['own'], { _id, startDate, endDate }: ScopeReport): AsyncGenerator<MeterHour> {
  const { meters, factors } = await own(async (tx, customerId) => ({
    meters: await findUsedMeters(tx, customerId, _id),
    factors: await findUsedFactors(tx, customerId, _id),
  }))
  const { fromMs } = spanOf({ start: startDate, end: endDate })
  const dates = datesBetween(startDate, endDate)
  for (const meter of meters) {
    const { isThere, days } = await own(async (tx, customerId) => ({
      isThere: await hasRow(tx, customerId, 'meter', { meter_id: meter.meter_id }),
      days: await findVersions(tx, customerId, meter.meter_id, startDate, meter.versions),
    }))
    if (!isThere) continue
    const byDay = new Map(days.map((day) => [day.day, day]))
    const grams = factors.find(({ area }) => area === meter.area)?.grams
    for (const date of dates) {
      const day = byDay.get(date)
      for (const hour of hoursOf(date, day, grams ? { fromMs, grams } : null))
        yield { meter, version: day?.version, hour }
    }
  }
}

const hoursOfReport = (hours: ScopeReport['total']['hours']) =>
  `${hours.all} meter-hours: ${hours.measured} measured, ${hours.estimated} estimated, ${hours.incomplete} incomplete, ${hours.missing} missing; ${hours.withoutFactor} read without a factor`

const shortAbout = ({ _id, inputs, since }: ScopeReport): Record<string, string> => ({
  Report: `Scope 2, location-based, report ${_id}`,
  'SHA-256 of the inputs': inputs,
  ...(since.goneMeters > 0 && {
    'Deleted meters': `${since.goneMeters} meters were deleted with their readings; their sums stay in the report`,
  }),
})

const aboutOf = (report: ScopeReport): Record<string, string> => ({
  ...shortAbout(report),
  Company: `${report.company}, ${report.startDate} to ${report.endDate}`,
  Created: `${report.madeAt} by ${report.madeBy}`,
  Method:
    "kWh of each hour x mean g CO2/kWh of the grid in that hour and in the meter's area. Unknown values are excluded from all totals",
  Emission: `${report.total.kgCo2 === null ? 'unknown' : report.total.kgCo2.toFixed(3)} kg CO₂ of ${report.total.kwh ?? 'unknown'} kWh; ${report.total.kwhWithoutFactor} kWh of them have no factor`,
  Coverage: hoursOfReport(report.total.hours),
  'Source of the consumption': sourceLine(report.readings),
  ...Object.fromEntries(
    report.factors.map(({ area, source, published, hours }) => [
      `Source of the factor ${area}`,
      `${sourceLine(source)}; published for ${published} of ${hours} hours`,
    ]),
  ),
})

type FileQuery = {
  format: 'xlsx' | 'csv' | 'pdf'
  rows?: 'hours' | 'meters' | undefined
  language?: Language | undefined
}

const reportFile = async (
  app: Pick<App, 'readings'>,
  own: Own['own'],
  reportId: string,
  { format, rows = 'hours', language = 'en' }: FileQuery,
): Promise<FileOrReply> => {
  const report = await readReport(app, own, reportId)
  const fileName = `Scope 2 ${fileDays(report.startDate, report.endDate)}`
  if (format === 'pdf') return { document: reportDocument(report, language, fileName) }
  if (format === 'xlsx' && rows === 'hours' && report.total.hours.all > limits.exportRows - 100)
    throw invalid({ format: m.tooManyRows(limits.exportRows) })
  const name = {
    fileName,
    sheet: 'Scope 2',
    about: format === 'csv' && rows === 'hours' ? shortAbout(report) : aboutOf(report),
  }
  if (rows === 'meters') return { file: tableFile(name, totalColumns, report.meterRows) }
  return { file: tableFile(name, hourColumns, hourRows(own, report)) }
}

const find = ownRoute(contract.findScopeReports, async (tx, customerId, { query }) => {
  const { rows, totalCount } = await findReports(tx, customerId, query)
  return { reports: rows.map(headOf), totalCount }
})

const make = route(contract.makeScopeReport, async ({ app, viewer, own, audit, nowMs, body }) => {
  const { meters, startDate: start, endDate: end } = body
  if (end >= today(nowMs)) throw invalid({ endDate: m.periodNotOver })
  const request = { meterIds: meters, period: { start, end }, madeBy: viewer.email, nowMs }
  const { reportId, isNew } = await createReport(app, { own, audit }, request)
  const report = await readReport(app, own, reportId)
  return { message: isNew ? m.scopeReportMade : m.scopeReportSame, data: { report, isNew } }
})

const get = route(contract.getScopeReport, async ({ app, own, params }) => ({
  report: await readReport(app, own, params.reportId),
}))

const remove = ownRoute(contract.removeScopeReport, async (tx, customerId, { audit, params }) => {
  const report = await getReport(tx, customerId, params.reportId)
  const removed = await deleteRows(tx, customerId, 'scope_2_report', { report_id: params.reportId }).executeTakeFirst()
  if (removed.numDeletedRows === 0n) throw notFound()
  await audit(tx, 'scope-2.remove', `${report.start_date} to ${report.end_date}`, {
    before: { report: report.report_id, meters: report.meters, inputs: report.inputs_sha256.toString('hex') },
  })
})

const file = route(contract.scopeReportFile, ({ app, own, params, query }) =>
  reportFile(app, own, params.reportId, query),
)

export const scope2 = [find, make, get, remove, file]
