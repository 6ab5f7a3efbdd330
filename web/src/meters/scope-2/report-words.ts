import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { ScopeFigures, ScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { t } from '#lib/i18n.ts'

/** Percent of the hours; what is there is never rounded to 0, nor a gap to all. */
export const shareText = (part: number, all: number): string => {
  const percent = all > 0 ? (part / all) * 100 : null
  if (percent === null || percent === 0 || percent === 100) return formatNumber(percent, { decimals: 0 })
  return percent < 0.05 ? '< 0,1' : percent > 99.95 ? '> 99,9' : formatNumber(percent, { decimals: 1 })
}

/** g/kWh over the energy that has a factor. */
export const meanFactor = ({ kwh, kwhWithoutFactor, kgCo2 }: ScopeFigures): number | null => {
  const known = Number(kwh ?? 0) - Number(kwhWithoutFactor)
  return kgCo2 === null || known <= 0 ? null : (kgCo2 * 1000) / known
}

const coveredHours = ({ all, missing, withoutFactor }: ScopeFigures['hours']): number => all - missing - withoutFactor

/** Never rounded up to all of it. */
export const coveredPercent = (hours: ScopeFigures['hours']): number | null =>
  hours.all > 0 ? Math.floor((coveredHours(hours) / hours.all) * 1000) / 10 : null

export const metersText = (meters: number): string => t('{{count}} meters', { count: meters })

const hoursText = (hours: number) => formatNumber(hours, { decimals: 2, minDecimals: 0 })

type Line = { text: string; isWarning: boolean }

const changesText = (
  { previous, dayCount: days, factorHours }: NonNullable<ScopeReport['changes']>,
  total: ScopeFigures,
): string => {
  const hours = factorHours.reduce((sum, one) => sum + one.hours, 0)
  if (!previous)
    return t('Against a report that was deleted since. Changed days: {{days}}, changed hours of emission: {{hours}}.', {
      days,
      hours,
    })
  return t(
    'Against the report before: {{before}} kg CO₂ then, {{after}} kg CO₂ here. Changed days: {{days}}, changed hours of emission: {{hours}}.',
    {
      days,
      hours,
      before: formatNumber(previous.kgCo2, { decimals: 1 }),
      after: formatNumber(total.kgCo2, { decimals: 1 }),
    },
  )
}

/** What is unknown, estimated or changed, each in a sentence. */
export const linesOf = (report: ScopeReport): Line[] => {
  const { hours, kwhWithoutFactor } = report.total
  const { since, changes } = report
  const warning = (text: string): Line => ({ text, isWarning: true })
  const share = (part: number) => ({ hours: hoursText(part), share: shareText(part, hours.all) })
  const changedSince = [
    ...(since.days > 0
      ? [
          warning(
            t(
              'Days of readings that changed after this report was made: {{days}}. Make it again to see what differs.',
              { days: since.days },
            ),
          ),
        ]
      : []),
    ...(since.factorHours > 0
      ? [
          warning(
            t(
              'Hours whose emission changed after this report was made: {{hours}}. Make it again to see what differs.',
              { hours: since.factorHours },
            ),
          ),
        ]
      : []),
    ...(since.goneMeters > 0
      ? [
          warning(
            t(
              'Meters deleted with their readings: {{meters}}. Their sums stay here; their hours are in no file any more.',
              { meters: since.goneMeters },
            ),
          ),
        ]
      : []),
  ]
  const unknown = [
    ...(hours.missing > 0
      ? [
          warning(
            t(
              'Meter-hours not read: {{hours}} ({{share}} %). Their consumption is unknown and not included.',
              share(hours.missing),
            ),
          ),
        ]
      : []),
    ...(hours.withoutFactor > 0
      ? [
          warning(
            t(
              'Meter-hours without an emission factor: {{hours}}, with {{kwh}} kWh. Their emission is unknown and not included.',
              { kwh: formatNumber(kwhWithoutFactor, { decimals: 1 }), hours: hoursText(hours.withoutFactor) },
            ),
          ),
        ]
      : []),
    ...(hours.estimated > 0
      ? [warning(t('Meter-hours estimated by the grid company: {{hours}} ({{share}} %).', share(hours.estimated)))]
      : []),
    ...(hours.incomplete > 0
      ? [
          warning(
            t('Meter-hours reported incomplete by the grid company: {{hours}} ({{share}} %).', share(hours.incomplete)),
          ),
        ]
      : []),
  ]
  const differs = changes ? [{ text: changesText(changes, report.total), isWarning: false }] : []
  const complete = { text: t('Every hour was read and has an emission factor.'), isWarning: false }
  return [
    ...changedSince,
    ...unknown,
    ...(hours.missing === 0 && hours.withoutFactor === 0 ? [complete] : []),
    ...differs,
  ]
}
