import {
  addDays,
  addMonths,
  dayBounds,
  formatDate,
  type LocalDate,
  type Span,
  hourMs,
  localDateOf,
} from '@gridmast/contract/time.ts'
import type { Meter, MeterGroup, Quality, MeterTotals } from '@gridmast/contract/meters/data-hub.ts'
import type { Status } from '#ui/Tag.tsx'
import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  ratioOfDecimals,
  unknownText,
} from '@gridmast/contract/numbers.ts'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'

export type MeterView = 'day' | 'month' | 'year'

const monthOf = (date: LocalDate) => date.slice(0, 7)
const yearOf = (date: LocalDate) => date.slice(0, 4)

/** Local days of the view, both included. */
const daysOf = (view: MeterView, date: LocalDate): { first: LocalDate; last: LocalDate } => {
  if (view === 'day') return { first: date, last: date }
  const first = view === 'month' ? monthOf(date) : `${yearOf(date)}-01`
  const next = addMonths(first, view === 'month' ? 1 : 12)
  return { first: `${first}-01`, last: addDays(`${next}-01`, -1) }
}

const spanOf = (view: MeterView, date: LocalDate): Span => {
  const { first, last } = daysOf(view, date)
  return { fromMs: dayBounds(first).fromMs, toMs: dayBounds(last).toMs }
}

/** `20.11.2026`, `11.2026` or `2026`. */
const viewText = (view: MeterView, date: LocalDate): string =>
  view === 'day' ? formatDate(date) : view === 'month' ? formatDate(date).slice(3) : yearOf(date)

/** Period of the meter cards: a view or a range. */
export type Period = {
  by: MeterView | 'hours' | 'days'
  span: Span
  /** Local days that contain the span, both included. */
  first: LocalDate
  last: LocalDate
  words: string
  /** For a query. */
  sent: { date: LocalDate; view: MeterView } | { start: string; end: string }
}

export const periodOf = (view: MeterView, date: LocalDate): Period => ({
  by: view,
  span: spanOf(view, date),
  ...daysOf(view, date),
  words: viewText(view, date),
  sent: { date, view },
})

/** Ends of columns that begin at `x`; the columns of a view fill its span. */
export const endsOf = (x: readonly number[], { by, span }: Pick<Period, 'by' | 'span'>): number[] =>
  x.map((ms, i) => {
    if (by === 'hours') return ms + hourMs
    if (by === 'days') return dayBounds(localDateOf(ms)).toMs
    return x[i + 1] ?? span.toMs
  })

/** `31 24 58 07` */
export const cvrText = (key: string): string => key.replace(/(\d\d)(?=\d)/g, '$1 ')

export const groupText = ({ key, name }: Pick<MeterGroup, 'key' | 'name'>): string =>
  name ? `${cvrText(key)} ${name}` : cvrText(key)

/** Eloverblik delivers a day one to two days later; older readings are late. */
const staleMs = 4 * 24 * hourMs

export const statusOf = ({ configured, dataHub, problem, lastRead }: Meter, nowMs: number): Status => {
  if (!configured || !dataHub.enabled) return 'off'
  if (problem !== null) return 'failed'
  return lastRead === null || nowMs - Date.parse(lastRead) > staleMs ? 'stale' : 'fresh'
}

export const statusWords = {
  off: 'Switched off',
  failed: 'Not readable',
  stale: 'No new readings',
  fresh: 'Up to date',
} as const satisfies Record<Status, string>

export const qualityWords = {
  measured: 'Measured',
  estimated: 'Estimated',
  adjusted: 'Adjusted',
  incomplete: 'Incomplete',
  missing: 'Missing',
} as const satisfies Record<Quality, string>

export const partNames = { spot: 'Spot price', tariff: 'Tariff', tax: 'Tax' } as const

export const unknownWords = {
  reading: 'The cost is unknown: there is no reading.',
  spot: 'The cost is unknown: no spot price is published.',
  tariff: 'The cost is unknown: the tariff has no price for this time.',
} as const

type Coverage = MeterTotals['coverage']

export const isWhole = ({ intervals, read }: Coverage): boolean => intervals > 0 && read >= intervals
export const isPriced = ({ read, priced }: Coverage): boolean => priced >= read

const share = (count: number, all: number) => digits.percent((100 * count) / all)

/** `93 of 96 quarters measured, 2 estimated, 1 missing`; of more than a day in percent. */
export const coverageWords = (
  { intervals, read, estimated }: Coverage,
  { isDay, resolution }: { isDay: boolean; resolution: 'quarter' | 'hour' },
): string => {
  if (intervals === 0) return ''
  const [measured, missing] = [read - estimated, Math.max(0, intervals - read)]
  const words = isDay
    ? [
        resolution === 'quarter'
          ? t('{{n}} of {{total}} quarters measured', { n: measured, total: intervals })
          : t('{{n}} of {{total}} hours measured', { n: measured, total: intervals }),
        estimated > 0 && t('{{n}} estimated', { n: estimated }),
        missing > 0 && t('{{n}} missing', { n: missing }),
      ]
    : [
        t('{{n}} measured', { n: `${share(measured, intervals)} %` }),
        estimated > 0 && t('{{n}} estimated', { n: `${share(estimated, intervals)} %` }),
        missing > 0 && t('{{n}} missing', { n: `${share(missing, intervals)} %` }),
      ]
  return words.filter(Boolean).join(', ')
}

/** Consumption that is not in the cost or not in the emission. */
export const leftOutWords = ({ read, priced, emission }: Coverage): string[] =>
  read === 0
    ? []
    : [
        priced < read &&
          t('{{n}} of the readings have no price and no cost.', { n: `${share(read - priced, read)} %` }),
        emission < read &&
          t('{{n}} of the readings have no known emission.', { n: `${share(read - emission, read)} %` }),
      ].filter((words) => words !== false)

const comparedNames = { day: 'The day before', month: 'The month before', year: 'The year before' } as const

/** `+3,2 %`; unknown without a previous value. */
const changeText = (now: string | undefined | null, before: string | undefined | null): string => {
  if (now == null || before == null || compareDecimals(before, '0') <= 0) return unknownText
  const percent = ratioOfDecimals(multiplyDecimals(addDecimals(now, `-${before}`), '100'), before, 1)
  return `${compareDecimals(now, before) > 0 ? '+' : ''}${format.fixedPercent(percent)}`
}

/** The previous period in a line. Only completely read periods are compared: half a month is not less than a month. */
export const comparedWords = (now: MeterTotals, before: MeterTotals, view: MeterView): string => {
  const name = t(comparedNames[view])
  if (before.kwh === null) return `${name}: ${t('no readings')}`
  const both = [now.coverage, before.coverage]
  const isRead = both.every(isWhole)
  const { intervals, read } = before.coverage
  const kwh = format.kwhTotal(before.kwh)
  const dkk = format.dkk(before.dkk?.total)
  return [
    `${name}: ${isRead ? `${kwh} (${changeText(now.kwh, before.kwh)})` : kwh}`,
    isRead && both.every(isPriced) ? `${dkk} (${changeText(now.dkk?.total, before.dkk?.total)})` : dkk,
    ...(read < intervals ? [t('{{n}} read', { n: format.percent((100 * read) / intervals) })] : []),
  ].join(' · ')
}
