import { z } from 'zod'
import { call, id } from '#call.ts'
import { days, inOrder, mostDays } from '#days.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { decimalText, documentFormat } from '#series.ts'
import { publishedSource } from '#source.ts'
import { localDate } from '#time.ts'

/** Scope 2 reports: emission of meters' electricity over whole local days, hour by hour, stored with its readings. */

/** Hours of the period by quality; the first four add up to `all`. Quarters of an hour count as 0.25. */
const hours = z.object({
  all: z.number(),
  measured: z.number(),
  estimated: z.number(),
  incomplete: z.number(),
  missing: z.number(),
  withoutFactor: z.number(),
})

const figureFields = {
  kwh: decimalText.nullable(),
  kgCo2: z.number().nullable(),
  /** Readings without a factor: in `kwh` and not in `kgCo2`. */
  kwhWithoutFactor: decimalText,
  hours,
}
const figures = z.object(figureFields)
export type ScopeFigures = z.infer<typeof figures>

export const lacksEmission = ({ kgCo2, hours: { missing, withoutFactor } }: ScopeFigures): boolean =>
  kgCo2 !== null && missing + withoutFactor > 0

/** g/kWh over the energy that has a factor. */
export const meanFactor = ({ kwh, kwhWithoutFactor, kgCo2 }: ScopeFigures): number | null => {
  const kwhWithFactor = Number(kwh ?? 0) - Number(kwhWithoutFactor)
  return kgCo2 === null || kwhWithFactor <= 0 ? null : (kgCo2 * 1000) / kwhWithFactor
}

export const coveredHours = ({ all, missing, withoutFactor }: ScopeFigures['hours']): number =>
  all - missing - withoutFactor

const reportHead = z.object({
  _id: id('scope-2-report'),
  madeAt: z.iso.datetime(),
  madeBy: z.string(),
  startDate: localDate,
  endDate: localDate,
  meters: z.number(),
  total: figures,
})
export type ScopeReportHead = z.infer<typeof reportHead>

const ofMeters = { meters: z.number(), ...figureFields }

const changedDay = z.object({
  meter: z.string(),
  day: localDate,
  /** Version of the source at that time, counted from 1; 0 without data. */
  before: z.object({ version: z.number(), kwh: decimalText.nullable() }),
  after: z.object({ version: z.number(), kwh: decimalText.nullable() }),
})

const report = reportHead.extend({
  company: z.string(),
  keys: z.array(z.object({ key: z.string(), ...ofMeters })),
  sites: z.array(z.object({ site: z.string(), ...ofMeters })),
  months: z.array(z.object({ month: z.string(), ...figureFields })),
  meterRows: z.array(
    z.object({
      name: z.string(),
      meteringPointId: z.string(),
      key: z.string(),
      site: z.string(),
      area: z.string().nullable(),
      /** Days with a reading, those with a changed version, and the highest version used. */
      days: z.object({ read: z.number(), revised: z.number(), version: z.number() }),
      ...figureFields,
    }),
  ),
  factors: z.array(
    z.object({
      area: z.string(),
      source: publishedSource,
      hours: z.number(),
      published: z.number(),
      /** g/kWh over the published hours, each counted once. */
      mean: z.number().nullable(),
      lowest: z.number().nullable(),
      highest: z.number().nullable(),
    }),
  ),
  readings: publishedSource,
  /** SHA-256 over meters, versions of each of their days and all factors: reports with the same hash are equal. */
  inputs: z.string(),
  changes: z
    .object({
      previous: z
        .object({
          _id: id('scope-2-report'),
          madeAt: z.iso.datetime(),
          kwh: decimalText.nullable(),
          kgCo2: z.number().nullable(),
        })
        .nullable(),
      days: z.array(changedDay),
      dayCount: z.number(),
      factorHours: z.array(z.object({ area: z.string(), hours: z.number() })),
    })
    .nullable(),
  since: z.object({ days: z.number(), factorHours: z.number(), goneMeters: z.number() }),
})
export type ScopeReport = z.infer<typeof report>

const ofReport = z.object({ reportId: id('scope-2-report') })

export const scopeReportColumns = ['period', 'kgCo2', 'kwh', 'meters', 'madeAt', 'madeBy'] as const

export const findScopeReports = call({
  method: 'GET',
  path: '/client/scope-2',
  summary: 'List the Scope 2 reports, newest first or by `sort`',
  may: 'scope-2.read',
  of: ['scope-report'],
  sorts: scopeReportColumns,
  query: z.strictObject(paged(scopeReportColumns)),
  response: z.object({ reports: z.array(reportHead), totalCount: z.number() }),
})

export const makeScopeReport = call({
  method: 'POST',
  path: '/client/scope-2',
  summary:
    'Create a Scope 2 report of meters over local days that have ended. If nothing has changed since their last report, that report is the answer',
  may: 'scope-2.make',
  touches: ['scope-report'],
  body: z
    .strictObject({
      meters: z.array(id('meter')).min(1, m.meterRequired).max(limits.scopeMeters, m.most(limits.scopeMeters)),
      ...days,
    })
    .refine(...inOrder)
    .refine(...mostDays(limits.exportDays)),
  response: z.object({ report, isNew: z.boolean() }),
})

export const getScopeReport = call({
  method: 'GET',
  path: '/client/scope-2/{reportId}',
  summary: 'Get a Scope 2 report: by meter, CVR, site and month, its coverage, factors, versions and changes',
  may: 'scope-2.read',
  of: ['scope-report'],
  params: ofReport,
  response: z.object({ report }),
})

export const removeScopeReport = call({
  method: 'DELETE',
  path: '/client/scope-2/{reportId}',
  summary: 'Delete a Scope 2 report with its stored factors; the readings are kept',
  may: 'scope-2.remove',
  touches: ['scope-report'],
  params: ofReport,
  ok: m.scopeReportDeleted,
})

export const scopeReportFile = call({
  method: 'GET',
  path: '/client/scope-2/{reportId}/file',
  summary:
    'Export a report as a PDF in English or Danish, or its hours (or meters) as a table; always with the readings and factors from which it was created',
  may: 'scope-2.read',
  params: ofReport,
  query: z.strictObject({
    format: documentFormat.default('pdf'),
    rows: z.enum(['hours', 'meters']).optional(),
    language: z.enum(['en', 'da']).optional(),
  }),
})
