import type { Backtest, BacktestResult } from '@gridmast/contract/planning/load-backtests.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, type LocalDate } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import type { Line } from './plan-words.ts'

/** What a backtest says beside its numbers. */

export const isOpen = ({ state }: Pick<Backtest, 'state'>) => state === 'queued' || state === 'running'
/** How often one that is open is looked at. */
export const openMs = 1_000

export const periodWords = ({ period, result }: Pick<Backtest, 'period' | 'result'>): string =>
  result
    ? `${formatDate(result.first)} – ${formatDate(result.last)}`
    : period === 'month'
      ? t('Last month')
      : t('Last 12 months')

const states = {
  queued: 'Waits to begin',
  running: 'Under way',
  done: 'Done',
  cancelled: 'Stopped',
  failed: 'Not possible',
} as const satisfies Record<Backtest['state'], Sentence>

export const stateWords = ({ state, done, of }: Backtest): string =>
  state === 'running' && of !== null ? t('{{done}} of {{count}} days', { done, count: of }) : t(states[state])

export const failedWords = {
  'no-prices':
    'No prices of its area are known for this period. A server that has just begun reads past prices first: then run it again in some minutes.',
  removed: 'What was to be planned has been removed, or has no price signal any more.',
  error: 'Something went wrong. Run it again. If that does not help, contact support.',
} as const satisfies Record<NonNullable<Backtest['reason']>, Sentence>

const namedDays = 8

/** `14.10.2026, 15.10.2026 and 3 more` */
const daysWords = (days: readonly LocalDate[]): string => {
  const named = days.slice(0, namedDays).map(formatDate).join(', ')
  return days.length > namedDays ? t('{{days}} and {{n}} more', { days: named, n: days.length - namedDays }) : named
}

/** What the sums leave out, assume or could not do. */
export const backtestNotices = (result: BacktestResult): Line[] => {
  const { daysWithoutPrices, assumedDays, withoutPlan, missedKwh, brokenSlots, regretDkk, first, notBest } = result
  const warnings: (string | false)[] = [
    daysWithoutPrices > 0 &&
      t(
        'Prices, and a week of them before to forecast from, are known from {{first}} on: {{count}} days are left out.',
        {
          first: formatDate(first),
          count: daysWithoutPrices,
        },
      ),
    assumedDays.length > 0 &&
      t('Prices are missing on {{days}}. They are taken as the mean of the same weekday of the four weeks before.', {
        days: daysWords(assumedDays),
      }),
    withoutPlan.length > 0 &&
      t('No plan that keeps all limits and sold capacity was found on {{days}}: everything ran at once.', {
        days: daysWords(withoutPlan),
      }),
    missedKwh > 0 &&
      t('Plans could not meet {{kwh}} kWh of what was needed.', { kwh: formatNumber(missedKwh, { decimals: 1 }) }),
    notBest !== undefined &&
      Number(notBest.dkk) > 0 &&
      t(
        'On {{count}} days a better plan may exist. Together their plans cost at most {{dkk}} DKK more than the best.',
        {
          count: notBest.days,
          dkk: formatNumber(notBest.dkk, { decimals: 2 }),
        },
      ),
    regretDkk === null &&
      t('The perfect-foresight benchmark could not be calculated: no schedule keeps all limits, or it took too long.'),
  ]
  return [
    ...warnings.flatMap((text) => (text === false ? [] : { text, isWarning: true })),
    ...(brokenSlots > 0
      ? [
          {
            text: t('The cheapest hours would not have held {{count}} sold slots, which is not counted against them.', {
              count: brokenSlots,
            }),
            isWarning: false,
          },
        ]
      : []),
  ]
}
