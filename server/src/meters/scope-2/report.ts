import type { ScopeReport, ScopeReportHead } from '@gridmast/contract/meters/scope-2.ts'
import type { App } from '#context.ts'
import type { Own } from '#platform/http/route.ts'
import { figuresOf, sumOf } from './emitted.ts'
import { differingHours, readFactors } from './make.ts'
import {
  countChanged,
  findReport,
  findUsedFactors,
  findUsedMeters,
  getReport,
  type Changes,
  type ReportRow,
  type UsedFactors,
  type UsedMeter,
} from './queries.ts'

export const headOf = (row: ReportRow): ScopeReportHead => ({
  _id: row.report_id,
  madeAt: row.made_at.toISOString(),
  madeBy: row.made_by,
  startDate: row.start_date,
  endDate: row.end_date,
  meters: row.meters,
  total: figuresOf(row.total),
})

const grouped = (meters: readonly UsedMeter[], wordOf: (meter: UsedMeter) => string) =>
  [...Map.groupBy(meters, wordOf)]
    .toSorted(([a], [b]) => a.localeCompare(b, 'da'))
    .map(([word, of]) => ({ word, meters: of.length, ...figuresOf(sumOf(of.map(({ total }) => total))) }))

const meterRow = ({ versions, total, ...meter }: UsedMeter): ScopeReport['meterRows'][number] => ({
  name: meter.name,
  meteringPointId: meter.metering_point_id,
  key: meter.cvr,
  site: meter.site,
  area: meter.area,
  days: {
    read: versions.filter((version) => version > 0).length,
    revised: versions.filter((version) => version > 1).length,
    version: Math.max(0, ...versions),
  },
  ...figuresOf(total),
})

const factorRow = (
  { area, grams }: UsedFactors,
  source: ReportRow['sources']['emission'],
): ScopeReport['factors'][number] => {
  const published = grams.filter((value) => value !== null)
  const isAny = published.length > 0
  return {
    area,
    source,
    hours: grams.length,
    published: published.length,
    mean: isAny ? published.reduce((sum, value) => sum + value, 0) / published.length : null,
    lowest: isAny ? published.reduce((a, b) => Math.min(a, b)) : null,
    highest: isAny ? published.reduce((a, b) => Math.max(a, b)) : null,
  }
}

const previousOf = (row: ReportRow) => {
  const { kwh, kgCo2 } = figuresOf(row.total)
  return { _id: row.report_id, madeAt: row.made_at.toISOString(), kwh, kgCo2 }
}

const changesOf = (
  { days, dayCount, factorHours }: Changes,
  previous: ReportRow | undefined,
): ScopeReport['changes'] => ({ previous: previous ? previousOf(previous) : null, days, dayCount, factorHours })

export const readReport = async (
  app: Pick<App, 'readings'>,
  own: Own['own'],
  reportId: string,
): Promise<ScopeReport> => {
  const { row, meters, factors, changed, previous } = await own(async (tx, customerId) => {
    const found = await getReport(tx, customerId, reportId)
    return {
      row: found,
      meters: await findUsedMeters(tx, customerId, reportId),
      factors: await findUsedFactors(tx, customerId, reportId),
      changed: await countChanged(tx, customerId, found),
      previous: found.changes ? await findReport(tx, customerId, found.changes.previousId) : undefined,
    }
  })
  const now = await readFactors(
    app,
    own,
    factors.map(({ area }) => area),
    { start: row.start_date, end: row.end_date },
  )
  return {
    ...headOf(row),
    company: row.company,
    keys: grouped(meters, ({ cvr }) => cvr).map(({ word, ...sums }) => ({ key: word, ...sums })),
    sites: grouped(meters, ({ site }) => site).map(({ word, ...sums }) => ({ site: word, ...sums })),
    months: row.months.map(({ month, total }) => ({ month, ...figuresOf(total) })),
    meterRows: meters.map(meterRow),
    factors: factors.map((one) => factorRow(one, row.sources.emission)),
    readings: row.sources.readings,
    inputs: row.inputs_sha256.toString('hex'),
    changes: row.changes && changesOf(row.changes, previous),
    since: {
      ...changed,
      factorHours: differingHours(factors, now).reduce((sum, { hours }) => sum + hours, 0),
    },
  }
}
