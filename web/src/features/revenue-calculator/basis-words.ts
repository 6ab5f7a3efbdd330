import type { Sentence } from '#i18n/da.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { revenueCalculator } from '@gridmast/contract/revenue-calculator.ts'
import type { TFunction } from '#lib/i18n.ts'

type Basis = Data<typeof revenueCalculator>['basis']

const rateWords: Record<NonNullable<Basis['dkk']>, Sentence> = {
  dataset: 'DKK as published',
  'rate of the day': 'DKK from the exchange rate of each day',
  'central rate': 'DKK from the central rate',
  mixed: 'DKK partly as published, partly from exchange rates',
}

/** What one price pays for, which auction it is of, and where its DKK come from. */
export const basisWords = ({ price, auction, dkk }: Basis, t: TFunction): string =>
  [
    price === 'MW and hour' ? t('Price of one MW and hour') : t('Price of one MW and block of 4 hours'),
    // The server's words for a market that is sold once a day.
    auction === 'one auction' ? t('one auction') : t('auction: {{auction}}', { auction }),
    ...(dkk ? [t(rateWords[dkk])] : []),
  ].join(' · ')
