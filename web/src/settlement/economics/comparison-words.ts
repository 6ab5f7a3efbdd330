import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { type compareMonths, reasons } from '@gridmast/contract/settlement/month-comparison.ts'
import { compareDecimals, multiplyDecimals, ratioOfDecimals } from '@gridmast/contract/numbers.ts'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { formatMonth } from '#ui/date/typed-date.ts'

export type Comparison = Data<typeof compareMonths>
export type Explained = Comparison & {
  before: { revenueEur: string }
  after: { revenueEur: string }
  differenceEur: string
  parts: NonNullable<Comparison['parts']>
}
export const isExplained = (comparison: Comparison): comparison is Explained => comparison.parts !== null
export type Reason = (typeof reasons)[number]
/** A month without settlements has no revenue, not 0. */
export const isSettled = ({ settlements }: Comparison['before']): boolean => settlements > 0
type Sums = Pick<Comparison['before'], 'offeredMwHours' | 'wonMwHours' | 'capacityEur' | 'missedHours' | 'sharePercent'>

export const reasonName = (reason: Reason): string =>
  ({
    volume: t('Volume'),
    winRate: t('Win rate'),
    price: t('Price'),
    availability: t('Availability'),
    shares: t('Shares'),
    rounding: t('Rounding'),
  })[reason]

const rate = ({ wonMwHours, offeredMwHours }: Sums): string =>
  format.percent(ratioOfDecimals(multiplyDecimals(wonMwHours, '100'), offeredMwHours, 1))
const perMwHour = ({ capacityEur, wonMwHours }: Sums): string => format.eur(ratioOfDecimals(capacityEur, wonMwHours, 2))
const share = ({ sharePercent }: Sums): string => format.sharePercent(sharePercent)
export const reasonWords = (reason: Reason, before: Sums, after: Sums): string => {
  switch (reason) {
    case 'volume':
      return t('{{after}} MW·h offered over all slots; previously {{before}} MW·h.', {
        after: digits.mw(after.offeredMwHours),
        before: digits.mw(before.offeredMwHours),
      })
    case 'winRate':
      return t('{{after}} of it was won; previously {{before}}.', {
        after: rate(after),
        before: rate(before),
      })
    case 'price':
      return t('{{after}} per MW·h won; previously {{before}}.', { after: perMwHour(after), before: perMwHour(before) })
    case 'availability':
      return t('Hours sold and not available: {{after}}; previously {{before}}.', {
        after: after.missedHours,
        before: before.missedHours,
      })
    case 'shares':
      return t('{{after}} of the capacity revenue is the customer’s; previously {{before}}.', {
        after: share(after),
        before: share(before),
      })
    case 'rounding':
      return t('Each day is rounded to cents.')
  }
}

export const signed = (eur: string): string => `${compareDecimals(eur, '0') > 0 ? '+' : ''}${digits.eur(eur)}`

const spanName = ({ month }: Comparison['before'], { days }: Comparison): string =>
  days === null ? formatMonth(month) : t('days 1–{{n}} of {{month}}', { n: days, month: formatMonth(month) })

export const headline = (comparison: Explained): string => {
  const { before, after, differenceEur, parts } = comparison
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const)
    if (!isSettled(one))
      return t('No settlements in {{month}}; {{eur}} € in {{other}}.', {
        month: spanName(one, comparison),
        eur: digits.eur(other.revenueEur),
        other: spanName(other, comparison),
      })

  const sign = compareDecimals(differenceEur, '0')
  const month = spanName(before, comparison)
  if (sign === 0) return t('The same as in {{month}}.', { month })
  const eur = digits.eur(differenceEur.replace('-', ''))
  const [most] = reasons
    .filter((reason) => compareDecimals(parts[reason], '0') === sign)
    .toSorted((a, b) => compareDecimals(parts[b], parts[a]) * sign)
  const sentence =
    sign < 0
      ? t('{{eur}} € less than in {{month}}.', { eur, month })
      : t('{{eur}} € more than in {{month}}.', { eur, month })
  if (most === undefined) return sentence
  return `${sentence} ${t('Main cause: {{reason}}, {{eur}} €.', { reason: reasonName(most), eur: signed(parts[most]) })}`
}

const two = (hour: number) => String(hour).padStart(2, '0')

/** `10–11`; blocks of FCR `08–12`. */
export const slotName = (market: string, slot: number): string => {
  const count = requestSlots(market)
  const hours = count === 6 ? 4 : count === 24 ? 1 : 24
  return `${two(slot * hours)}–${two((slot + 1) * hours)}`
}
