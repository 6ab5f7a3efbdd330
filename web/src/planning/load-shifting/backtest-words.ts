import type { Backtest, BacktestResult } from '@gridmast/contract/planning/load-backtests.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, type LocalDate } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import type { Notice } from './plan-words.ts'

export const isOpen = ({ state }: Pick<Backtest, 'state'>) => state === 'queued' || state === 'running'
export const openMs = 1_000

export const periodWords = ({ period, result }: Pick<Backtest, 'period' | 'result'>): string =>
  result
    ? `${formatDate(result.first)} – ${formatDate(result.last)}`
    : period === 'month'
      ? t('Last month')
      : t('Last 12 months')

const states = {
  queued: 'Waiting to start',
  running: 'Running',
  done: 'Done',
  cancelled: 'Stopped',
  failed: 'Not possible',
} as const satisfies Record<Backtest['state'], Sentence>

export const backtestStateWords = ({ state, done, of }: Backtest): string =>
  state === 'running' && of !== null ? t('{{done}} of {{count}} days', { done, count: of }) : t(states[state])

export const failedWords = {
  'no-prices':
    'No prices are available for its area in this period. A new server loads past prices first; run the backtest again in a few minutes.',
  removed: 'The equipment has been removed or no longer has a price signal.',
  error: 'The backtest failed. Run it again, or contact support.',
} as const satisfies Record<NonNullable<Backtest['reason']>, Sentence>

const namedDays = 8

/** `14.10.2026, 15.10.2026 and 3 more` */
const daysWords = (days: readonly LocalDate[]): string => {
  const named = days.slice(0, namedDays).map(formatDate).join(', ')
  return days.length > namedDays ? t('{{days}} and {{n}} more', { days: named, n: days.length - namedDays }) : named
}

/** Sentences about days that the sums exclude, and assumptions. */
export const backtestNotices = (result: BacktestResult): Notice[] => {
  const { daysWithoutPrices, assumedDays, withoutPlan, missedKwh, brokenSlots, regretDkk, first, notBest } = result
  const warnings: (string | false)[] = [
    daysWithoutPrices > 0 &&
      t('Prices, including a week for the forecast, are available from {{first}}: {{count}} days are excluded.', {
        first: formatDate(first),
        count: daysWithoutPrices,
      }),
    assumedDays.length > 0 &&
      t('Prices are missing on {{days}}. The mean of the same weekday of the previous four weeks is used.', {
        days: daysWords(assumedDays),
      }),
    withoutPlan.length > 0 &&
      t('No plan met all limits and sold capacity on {{days}}: everything ran immediately.', {
        days: daysWords(withoutPlan),
      }),
    missedKwh > 0 &&
      t('Plans did not meet {{kwh}} kWh of the energy need.', { kwh: formatNumber(missedKwh, { decimals: 1 }) }),
    notBest !== undefined &&
      Number(notBest.dkk) > 0 &&
      t('A better plan may exist on {{count}} days. Their plans cost at most {{dkk}} DKK more in total.', {
        count: notBest.days,
        dkk: formatNumber(notBest.dkk, { decimals: 2 }),
      }),
    regretDkk === null &&
      t('The perfect-foresight benchmark could not be calculated: no schedule keeps all limits, or it took too long.'),
  ]
  return [
    ...warnings.flatMap((text) => (text === false ? [] : { text, isWarning: true })),
    ...(brokenSlots > 0
      ? [
          {
            text: t('The cheapest hours would have violated {{count}} sold slots; the cost of that is not included.', {
              count: brokenSlots,
            }),
            isWarning: false,
          },
        ]
      : []),
  ]
}
