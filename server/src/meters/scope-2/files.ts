import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { datesBetween, hourMs } from '@gridmast/contract/time.ts'
import { invalid } from '#platform/http/errors.ts'
import type { Instead, Own } from '#platform/http/route.ts'
import type { Cell, Column, TableFile } from '#platform/files/table-file.ts'
import type { App } from '#context.ts'
import { gramsOf, hoursOf, type Hour } from './emitted.ts'
import { spanOf } from './make.ts'
import { reportDocument } from './pdf.ts'
import { findUsedFactors, findUsedMeters, findVersions, type UsedMeter } from './queries.ts'
import { readReport } from './report.ts'
import type { Language } from './words.ts'
import { findRow } from '#platform/records/rows.ts'

const meterColumns: Column[] = [
  { header: 'CVR', width: 12 },
  { header: 'Site', width: 30 },
  { header: 'Meter Name', width: 28 },
  { header: 'Meter Id', width: 22 },
  { header: 'Area', width: 8 },
]
const kwh = { header: 'Consumption (kWh)', numberFormat: '#,##0.000' }
const kgCo2 = { header: 'Emission (kg CO2)', numberFormat: '#,##0.000000' }

const hourColumns: Column[] = [
  ...meterColumns,
  { header: 'Start', holds: 'instants' },
  { header: 'End', holds: 'instants' },
  kwh,
  { header: 'Measured (h)', width: 12 },
  { header: 'Estimated (h)', width: 12 },
  { header: 'Incomplete (h)', width: 12 },
  { header: 'Factor of the grid (g/kWh)', numberFormat: '#,##0.0' },
  kgCo2,
  { header: 'Version of the day', width: 16 },
]

const totalColumns: Column[] = [
  ...meterColumns,
  kwh,
  kgCo2,
  { header: 'Consumption without a factor (kWh)', numberFormat: '#,##0.000' },
  ...['Hours', 'Measured (h)', 'Estimated (h)', 'Incomplete (h)', 'Missing (h)', 'Without a factor (h)'].map(
    (header) => ({ header, width: 14 }),
  ),
  { header: 'Days received', width: 12 },
  { header: 'Changed days', width: 12 },
  { header: 'Highest version', width: 14 },
]

const known = (hours: number) => (hours === 0 ? null : hours)

const hourCells = (meter: UsedMeter, version: number | undefined, hour: Hour): Cell[] => {
  const grams = gramsOf(hour)
  return [
    meter.cvr,
    meter.site,
    meter.name,
    meter.metering_point_id,
    meter.area,
    new Date(hour.fromMs),
    new Date(hour.fromMs + hourMs),
    hour.wh === null ? null : hour.wh / 1000,
    ...[hour.measuredS, hour.estimatedS, hour.incompleteS].map((seconds) => known(seconds / 3600)),
    hour.gramsPerKwh,
    grams === null ? null : grams / 1000,
    version ?? null,
  ]
}

/** The hours of the report from the versions it was made of, a meter at a time. Those of a meter that was deleted are gone with it. */
async function* hourRows(own: Own['own'], { _id, startDate, endDate }: ScopeReport): AsyncGenerator<Cell[]> {
  const { meters, factors } = await own(async (tx, customerId) => ({
    meters: await findUsedMeters(tx, customerId, _id),
    factors: await findUsedFactors(tx, customerId, _id),
  }))
  const { fromMs } = spanOf({ start: startDate, end: endDate })
  const dates = datesBetween(startDate, endDate)
  for (const meter of meters) {
    const { isThere, days } = await own(async (tx, customerId) => ({
      isThere: await findRow(tx, customerId, 'meter', { meter_id: meter.meter_id }, ['meter_id']),
      days: await findVersions(tx, customerId, meter.meter_id, startDate, meter.versions),
    }))
    if (!isThere) continue
    const byDay = new Map(days.map((day) => [day.day, day]))
    const grams = factors.find(({ area }) => area === meter.area)?.grams
    for (const date of dates) {
      const day = byDay.get(date)
      for (const hour of hoursOf(date, day, grams ? { fromMs, grams } : null))
        yield hourCells(meter, day?.version, hour)
    }
  }
}

const totalRow = (meter: ScopeReport['meterRows'][number]): Cell[] => [
  meter.key,
  meter.site,
  meter.name,
  meter.meteringPointId,
  meter.area,
  meter.kwh === null ? null : Number(meter.kwh),
  meter.kgCo2,
  Number(meter.kwhWithoutFactor),
  meter.hours.all,
  meter.hours.measured,
  meter.hours.estimated,
  meter.hours.incomplete,
  meter.hours.missing,
  meter.hours.withoutFactor,
  meter.days.read,
  meter.days.revised,
  meter.days.version,
]

const hoursOfReport = ({
  all,
  measured,
  estimated,
  incomplete,
  missing,
  withoutFactor,
}: ScopeReport['total']['hours']) =>
  `${all} meter-hours: ${measured} measured, ${estimated} estimated, ${incomplete} incomplete, ${missing} missing; ${withoutFactor} read without a factor`

/** Enough to find the report again: a csv repeats it in each of perhaps a million rows. */
const shortAbout = ({ _id, inputs, since }: ScopeReport): Record<string, string> => ({
  Report: `Scope 2, location-based, report ${_id}`,
  'SHA-256 of the inputs': inputs,
  ...(since.goneMeters > 0
    ? {
        'Hours that are gone': `${since.goneMeters} meters were deleted with their readings; their sums stay in the report`,
      }
    : {}),
})

const aboutOf = (report: ScopeReport): Record<string, string> => ({
  ...shortAbout(report),
  Company: `${report.company}, ${report.startDate} to ${report.endDate}`,
  Made: `${report.madeAt} by ${report.madeBy}`,
  Method:
    "kWh of each hour x mean g CO2/kWh of the grid in that hour and in the meter's area. What is unknown is in no sum, and nothing is filled in",
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

type Asked = { format: 'xlsx' | 'csv' | 'pdf'; rows?: 'hours' | 'meters' | undefined; language?: Language | undefined }

export const reportFile = async (
  app: Pick<App, 'readings'>,
  own: Own['own'],
  reportId: string,
  { format, rows = 'hours', language = 'en' }: Asked,
): Promise<Instead> => {
  const report = await readReport(app, own, reportId)
  const fileName = `Scope 2 ${report.startDate} to ${report.endDate}`
  if (format === 'pdf') return { document: reportDocument(report, language, fileName) }
  if (format === 'xlsx' && rows === 'hours' && report.total.hours.all > limits.exportRows - 100)
    throw invalid({ format: m.tooManyRows(limits.exportRows) })
  const file: TableFile = {
    fileName,
    sheet: 'Scope 2',
    about: format === 'csv' && rows === 'hours' ? shortAbout(report) : aboutOf(report),
    ...(rows === 'hours'
      ? { columns: hourColumns, rows: hourRows(own, report) }
      : { columns: totalColumns, rows: report.meterRows.map(totalRow) }),
  }
  return { file }
}
