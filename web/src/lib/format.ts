import { formatNumber } from '@gridmast/contract/numbers.ts'
import { sourceLine, type PublishedSource, type SimulatedSum } from '@gridmast/contract/source.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { t } from './i18n.ts'

/** Source of published data, as its licence requires, or 'Simulated'. */
export const sourceWords = (source: PublishedSource): string =>
  t('Source: {{source}}', { source: sourceLine(source, t('Simulated')) })

export const simulatedWords = (simulated: SimulatedSum): string =>
  simulated === 'part' ? t('Partly simulated') : t('Simulated')

type Exchange = { dkkPerEur: string; day: string | null } | null

export const exchangeWords = (exchange: Exchange): string => {
  if (!exchange) return ''
  const rate = formatNumber(exchange.dkkPerEur, { decimals: 5, minDecimals: 2 })
  return exchange.day === null
    ? t('1 EUR = {{rate}} DKK, the central rate', { rate })
    : t('1 EUR = {{rate}} DKK, {{day}}', { rate, day: formatDate(exchange.day) })
}

export const ratesWords = (rates: { lowest: string; highest: string } | null): string => {
  if (!rates) return ''
  const each = [rates.lowest, rates.highest].map((rate) => formatNumber(rate, { decimals: 5, minDecimals: 2 }))
  return t('1 EUR = {{rate}} DKK', { rate: [...new Set(each)].join('–') })
}

export const money = (amount: string | null | undefined): string => formatNumber(amount, { decimals: 2 })

export const megawatts = (mw: string | null | undefined): string => formatNumber(mw, { decimals: 3, minDecimals: 0 })
