import { createHash } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, datesBetween, dayBounds, hourMs, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import { meterData } from '#meters/data-hub/eloverblik.ts'
import { emissionSource, findEmissionSignal, readEmission } from '#grid/published/emission.ts'
import { getSources } from '#grid/published/sources.ts'
import { Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Own } from '#platform/http/route.ts'
import type { App } from '#context.ts'
import { addEmitted, addHour, hoursOf, noEmission, sumOf, type Emitted, figuresOf } from './emitted.ts'
import {
  addReport,
  findPrevious,
  findUsedFactors,
  findUsedMeters,
  findVersions,
  getReportMeters,
  type Changes,
  type Period,
  type ReportRow,
  type UsedFactors,
  type UsedMeter,
  type VersionedDay,
  type VersionSum,
  countChanged,
  findReport,
  getReport,
} from './queries.ts'
import { findDays } from '#meters/data-hub/day-readings.ts'
import { kwhOfDay } from '#meters/data-hub/sums.ts'
import { countRows, getRow, selectRows } from '#platform/records/rows.ts'
import type { ScopeReport, ScopeReportHead } from '@gridmast/contract/meters/scope-2.ts'

const namedDays = 100

export const spanOf = ({ start, end }: Period): Span => ({
  fromMs: dayBounds(start).fromMs,
  toMs: dayBounds(end).toMs,
})

const hoursIn = ({ fromMs, toMs }: Span): number[] =>
  Array.from({ length: (toMs - fromMs) / hourMs }, (_, i) => fromMs + i * hourMs)

const readFactors = async (app: Pick<App, 'readings'>, own: Own['own'], areas: readonly string[], period: Period) => {
  const span = spanOf(period)
  const factors: UsedFactors[] = []
  for (const area of [...new Set(areas)].toSorted()) {
    const signal = await own((tx) => findEmissionSignal(tx, area))
    const emission = await readEmission(app.readings, signal, span)
    factors.push({ area, grams: hoursIn(span).map((fromMs) => emission.get(fromMs) ?? null) })
  }
  return factors
}

const calculateMeter = (
  meter: Omit<UsedMeter, 'versions' | 'total'>,
  days: readonly VersionedDay[],
  dates: readonly LocalDate[],
  { grams, fromMs }: { grams: UsedFactors['grams'] | undefined; fromMs: number },
  months: Map<string, Emitted>,
): UsedMeter => {
  const byDay = new Map(days.map((day) => [day.day, day]))
  const factors = grams ? { fromMs, grams } : null
  const total = noEmission()
  for (const date of dates) {
    const ofDay = noEmission()
    for (const hour of hoursOf(date, byDay.get(date), factors)) addHour(ofDay, hour)
    addEmitted(total, ofDay)
    const ofMonth = months.get(date.slice(0, 7)) ?? noEmission()
    addEmitted(ofMonth, ofDay)
    months.set(date.slice(0, 7), ofMonth)
  }
  return { ...meter, versions: dates.map((date) => byDay.get(date)?.version ?? 0), total }
}

const sha256 = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest()

const inputsOf = (period: Period, meters: readonly UsedMeter[], factors: readonly UsedFactors[]): Buffer =>
  sha256([
    period,
    meters.map((one) => [one.meter_id, one.metering_point_id, one.name, one.cvr, one.site, one.area, one.versions]),
    factors.map(({ area, grams }) => [area, grams]),
  ])

const sumsOf = (days: readonly VersionedDay[]): Map<LocalDate, VersionSum> =>
  new Map(days.map(({ day, version, wh }) => [day, { version, kwh: kwhOfDay(wh) }]))

const versionsAt = (versions: readonly number[], changed: ReadonlySet<number>) =>
  versions.map((version, i) => (changed.has(i) ? version : 0))

const changesSince = async (
  own: Own['own'],
  previous: ReportRow,
  { start }: Period,
  meters: readonly UsedMeter[],
  factors: readonly UsedFactors[],
): Promise<Changes> => {
  const [usedBefore, factorsBefore] = await own(async (tx, customerId) => [
    await findUsedMeters(tx, customerId, previous.report_id),
    await findUsedFactors(tx, customerId, previous.report_id),
  ])
  const changes: Changes = { previousId: previous.report_id, days: [], dayCount: 0, factorHours: [] }
  for (const meter of meters) {
    const before = usedBefore.find(({ meter_id }) => meter_id === meter.meter_id)?.versions ?? []
    const changed = new Set(meter.versions.flatMap((version, i) => (version === (before[i] ?? 0) ? [] : [i])))
    changes.dayCount += changed.size
    const room = namedDays - changes.days.length
    if (changed.size === 0 || room <= 0) continue
    const named = new Set([...changed].slice(0, room))
    const [was, is] = await own(async (tx, customerId) => [
      sumsOf(await findVersions(tx, customerId, meter.meter_id, start, versionsAt(before, named))),
      sumsOf(await findVersions(tx, customerId, meter.meter_id, start, versionsAt(meter.versions, named))),
    ])
    for (const i of named) {
      const day = addDays(start, i)
      changes.days.push({
        meter: meter.name,
        day,
        before: was.get(day) ?? { version: before[i] ?? 0, kwh: null },
        after: is.get(day) ?? { version: meter.versions[i] ?? 0, kwh: null },
      })
    }
  }
  changes.factorHours = differingHours(factorsBefore, factors)
  return changes
}

const differingHours = (before: readonly UsedFactors[], after: readonly UsedFactors[]) =>
  after.flatMap(({ area, grams }) => {
    const was = before.find((one) => one.area === area)?.grams ?? []
    const hours = grams.filter((value, i) => value !== (was[i] ?? null)).length
    return hours > 0 ? [{ area, hours }] : []
  })

type NewReport = { meterIds: readonly string[]; period: Period; madeBy: string; nowMs: number }

/** Creates a report, one meter at a time to keep memory constant; returns its id, or the id of an existing report with equal inputs. */
export const createReport = async (
  app: Pick<App, 'readings'>,
  { own, audit }: Pick<Own, 'own' | 'audit'>,
  { meterIds, period, madeBy, nowMs }: NewReport,
): Promise<{ reportId: string; isNew: boolean }> => {
  const choice = sha256([period, [...new Set(meterIds)].toSorted()])
  const { reportMeters, company, sources, previous } = await own(async (tx, customerId) => ({
    reportMeters: await getReportMeters(tx, customerId, meterIds),
    company: (await getRow(tx, customerId, 'customer', {}, ['name'])).name,
    sources: await getSources(tx, { readings: meterData, emission: emissionSource }),
    previous: await findPrevious(tx, customerId, choice),
  }))
  const areas = reportMeters.flatMap(({ area }) => area ?? [])
  const factors = await readFactors(app, own, areas, period)
  const { fromMs } = spanOf(period)
  const dates = datesBetween(period.start, period.end)
  const months = new Map<string, Emitted>()
  const meters: UsedMeter[] = []
  for (const meter of reportMeters) {
    const days = await own((tx, customerId) =>
      findDays(tx, customerId, meter.meter_id, { from: period.start, to: addDays(period.end, 1) }),
    )
    const { grams } = factors.find(({ area }) => area === meter.area) ?? {}
    meters.push(calculateMeter(meter, days, dates, { grams, fromMs }, months))
  }
  const inputs = inputsOf(period, meters, factors)
  const changes =
    previous && !inputs.equals(previous.inputs_sha256)
      ? await changesSince(own, previous, period, meters, factors)
      : null
  return own(async (tx, customerId) => {
    const reportId = newId(nowMs)
    const report = {
      customer_id: customerId,
      report_id: reportId,
      made_at: new Date(nowMs),
      made_by: madeBy,
      period,
      choice,
      inputs,
      company,
      sources,
      changes,
      total: sumOf(meters.map(({ total }) => total)),
      months: [...months].map(([month, total]) => ({ month, total })),
    }
    if (await addReport(tx, report, meters, factors)) {
      const count = await countRows(selectRows(tx, customerId, 'scope_2_report'))
      if (count > limits.scopeReports) throw new Refusal(409, m.tooManyScopeReports(limits.scopeReports))
      await audit(tx, 'scope-2.make', `${period.start} to ${period.end}`, {
        after: { report: reportId, meters: meters.length, inputs: inputs.toString('hex') },
      })
      return { reportId, isNew: true }
    }
    const { report_id } = await getRow(tx, customerId, 'scope_2_report', { inputs_sha256: inputs }, ['report_id'])
    return { reportId: report_id, isNew: false }
  })
}

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

const factorRow = ({ area, grams }: UsedFactors, source: ReportRow['sources']['emission']) => {
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

const changesOf = ({ days, dayCount, factorHours }: Changes, previous: ReportRow | undefined) => ({
  previous: previous ? previousOf(previous) : null,
  days,
  dayCount,
  factorHours,
})

export const readReport = async (app: Pick<App, 'readings'>, own: Own['own'], reportId: string) => {
  const { row, meters, factors, changed, previous } = await own(async (tx, customerId) => {
    const report = await getReport(tx, customerId, reportId)
    return {
      row: report,
      meters: await findUsedMeters(tx, customerId, reportId),
      factors: await findUsedFactors(tx, customerId, reportId),
      changed: await countChanged(tx, customerId, report),
      previous: report.changes ? await findReport(tx, customerId, report.changes.previousId) : undefined,
    }
  })
  const areas = factors.map(({ area }) => area)
  const now = await readFactors(app, own, areas, { start: row.start_date, end: row.end_date })
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
