import type { Sentence } from '#i18n/da.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import { t } from '#lib/i18n.ts'

type Basis = Data<typeof revenueCalculator>['basis']

const rateWords: Record<NonNullable<Basis['dkk']>, Sentence> = {
  dataset: 'DKK as published',
  'rate of the day': 'DKK at each day’s exchange rate',
  'central rate': 'DKK at the central rate',
  mixed: 'DKK partly as published, partly at exchange rates',
}

/** What one price pays for, which auction it is of, and where its DKK come from. */
export const basisWords = ({ price, auction, dkk }: Basis): string =>
  [
    price === 'MW and hour' ? t('Price per MW per hour') : t('Price per MW per 4-hour block'),
    // The server's words for a market that is sold once a day.
    auction === 'one auction' ? t('one auction') : t('auction: {{auction}}', { auction }),
    ...(dkk ? [t(rateWords[dkk])] : []),
  ].join(' · ')
