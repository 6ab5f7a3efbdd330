import { coveredHours, type ScopeFigures, type ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'

/** Percent of the hours; a share is never rounded to 0 or 100. */
export const shareText = (part: number, all: number): string => {
  const percent = all > 0 ? (part / all) * 100 : null
  if (percent === null || percent === 0 || percent === 100) return digits.wholePercent(percent)
  return percent < 0.05 ? '< 0,1' : percent > 99.95 ? '> 99,9' : digits.fixedPercent(percent)
}

/** Never rounded up to 100. */
export const coveredPercent = (hours: ScopeFigures['hours']): number | null =>
  hours.all > 0 ? Math.floor((coveredHours(hours) / hours.all) * 1000) / 10 : null

export const metersText = (meters: number): string => t('{{count}} meters', { count: meters })

type Line = { text: string; isWarning: boolean }

const changesText = (
  { previous, dayCount: days, factorHours }: NonNullable<ScopeReport['changes']>,
  total: ScopeFigures,
): string => {
  const hours = factorHours.reduce((sum, one) => sum + one.hours, 0)
  if (!previous)
    return t('Compared with a deleted report. Changed days: {{days}}, changed hours of emission: {{hours}}.', {
      days,
      hours,
    })
  return t(
    'Compared with the previous report: {{before}} kg CO₂ before, {{after}} kg CO₂ now. Changed days: {{days}}, changed hours of emission: {{hours}}.',
    {
      days,
      hours,
      before: digits.kgCo2(previous.kgCo2),
      after: digits.kgCo2(total.kgCo2),
    },
  )
}

export const linesOf = (report: ScopeReport): Line[] => {
  const { hours, kwhWithoutFactor } = report.total
  const { since, changes } = report
  const share = (part: number) => ({ hours: digits.hours(part), share: shareText(part, hours.all) })
  const warnings: (string | false)[] = [
    since.days > 0 &&
      t('Days with readings changed after this report: {{days}}. Create a new report to see the difference.', {
        days: since.days,
      }),
    since.factorHours > 0 &&
      t('Hours with emission changed after this report: {{hours}}. Create a new report to see the difference.', {
        hours: since.factorHours,
      }),
    since.goneMeters > 0 &&
      t('Deleted meters: {{meters}}. Their totals are kept; their hours are no longer in the files.', {
        meters: since.goneMeters,
      }),
    hours.missing > 0 &&
      t(
        'Meter-hours not read: {{hours}} ({{share}} %). Their consumption is unknown and not included.',
        share(hours.missing),
      ),
    hours.withoutFactor > 0 &&
      t(
        'Meter-hours without an emission factor: {{hours}}, with {{kwh}} kWh. Their emission is unknown and not included.',
        { kwh: digits.kwhTotal(kwhWithoutFactor), hours: digits.hours(hours.withoutFactor) },
      ),
    hours.estimated > 0 &&
      t('Meter-hours estimated by the grid company: {{hours}} ({{share}} %).', share(hours.estimated)),
    hours.incomplete > 0 &&
      t('Meter-hours reported incomplete by the grid company: {{hours}} ({{share}} %).', share(hours.incomplete)),
  ]
  const notes: (string | false)[] = [
    hours.missing === 0 && hours.withoutFactor === 0 && t('All hours have a reading and an emission factor.'),
    changes !== null && changesText(changes, report.total),
  ]
  return [
    ...warnings.flatMap((text) => (text === false ? [] : { text, isWarning: true })),
    ...notes.flatMap((text) => (text === false ? [] : { text, isWarning: false })),
  ]
}
