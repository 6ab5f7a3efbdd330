import { formatNumber } from '@gridmast/contract/numbers.ts'
import { sourceLine, type PublishedSource, type SimulatedSum } from '@gridmast/contract/source.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { t } from './i18n.ts'

type Amount = string | number | null | undefined

/** Amounts with their unit; an unknown one is `–` without it. */
export const format = {
  count: (count: Amount) => formatNumber(count, { decimals: 0 }),
  percent: (percent: Amount) => formatNumber(percent, { decimals: 1, minDecimals: 0, unit: '%' }),
  kw: (kw: Amount) => formatNumber(kw, { decimals: 1, unit: 'kW' }),
  mw: (mw: Amount) => formatNumber(mw, { decimals: 3, minDecimals: 0, unit: 'MW' }),
  kwh: (kwh: Amount) => formatNumber(kwh, { decimals: 2, unit: 'kWh' }),
  dkk: (dkk: Amount) => formatNumber(dkk, { decimals: 2, unit: 'DKK' }),
  eur: (eur: Amount) => formatNumber(eur, { decimals: 2, unit: '€' }),
  dkkPerKwh: (price: Amount) => formatNumber(price, { decimals: 4, minDecimals: 2, unit: 'DKK/kWh' }),
  eurPerMwh: (price: Amount) => formatNumber(price, { decimals: 2, unit: '€/MWh' }),
}

/** Source of published data, as its licence requires, or 'Simulated'. */
export const sourceWords = (source: PublishedSource): string =>
  t('Source: {{source}}', { source: sourceLine(source, t('Simulated')) })

export const simulatedWords = (simulated: SimulatedSum): string =>
  simulated === 'part' ? t('Partly simulated') : t('Simulated')

type Exchange = { dkkPerEur: string; day: string | null } | null

const rateText = (dkkPerEur: string) => formatNumber(dkkPerEur, { decimals: 5, minDecimals: 2 })

export const exchangeWords = (exchange: Exchange): string => {
  if (!exchange) return ''
  const rate = rateText(exchange.dkkPerEur)
  return exchange.day === null
    ? t('1 EUR = {{rate}} DKK, the central rate', { rate })
    : t('1 EUR = {{rate}} DKK, {{day}}', { rate, day: formatDate(exchange.day) })
}

export const ratesWords = (rates: { lowest: string; highest: string } | null): string => {
  if (!rates) return ''
  const each = [rates.lowest, rates.highest].map(rateText)
  return t('1 EUR = {{rate}} DKK', { rate: [...new Set(each)].join('–') })
}

export const money = (amount: string | null | undefined): string => formatNumber(amount, { decimals: 2 })

export const megawatts = (mw: string | null | undefined): string => formatNumber(mw, { decimals: 3, minDecimals: 0 })
