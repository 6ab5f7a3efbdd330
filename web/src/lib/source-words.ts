import { formatNumber } from '@gridmast/contract/numbers.ts'
import { sourceLine, type PublishedSource, type SimulatedSum } from '@gridmast/contract/source.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { t } from './i18n.ts'

/** Where published data comes from: with the licence that asks to be named, or that it is simulated. */
export const sourceWords = (source: PublishedSource): string =>
  t('Source: {{source}}', { source: sourceLine(source, t('Simulated')) })

/** Of values that are simulated, or in part. */
export const simulatedWords = (simulated: SimulatedSum): string =>
  simulated === 'part' ? t('Partly simulated') : t('Simulated')

type Exchange = { dkkPerEur: string; day: string | null } | null

/** The rate that prices published in EUR were converted with; nothing for prices published in DKK. */
export const exchangeWords = (exchange: Exchange): string => {
  if (!exchange) return ''
  const rate = formatNumber(exchange.dkkPerEur, { decimals: 5, minDecimals: 2 })
  return exchange.day === null
    ? t('1 EUR = {{rate}} DKK, the central rate', { rate })
    : t('1 EUR = {{rate}} DKK, {{day}}', { rate, day: formatDate(exchange.day) })
}

/** The rates of several days. */
export const ratesWords = (rates: { lowest: string; highest: string } | null): string => {
  if (!rates) return ''
  const each = [rates.lowest, rates.highest].map((rate) => formatNumber(rate, { decimals: 5, minDecimals: 2 }))
  return t('1 EUR = {{rate}} DKK', { rate: [...new Set(each)].join('–') })
}
