import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import type { TFunction } from './i18n.ts'

const licences: readonly (readonly [name: string, licence: string])[] = [['Energi Data Service', 'Energinet CC BY 4.0']]

/** Where published data comes from, with the licence that asks to be named. */
export const sourceWords = (source: { name: string; dataset: string } | string, t: TFunction): string => {
  const text = typeof source === 'string' ? source : `${source.name}, ${source.dataset}`
  const licence = licences.find(([name]) => text.startsWith(name))?.[1]
  return t('Source: {{source}}', { source: licence ? `${text} · ${licence}` : text })
}

type Exchange = { dkkPerEur: string; day: string | null } | null

/** The rate that prices published in EUR were converted with; nothing for prices published in DKK. */
export const exchangeWords = (exchange: Exchange, t: TFunction): string => {
  if (!exchange) return ''
  const rate = formatNumber(exchange.dkkPerEur, { decimals: 5, minDecimals: 2 })
  return exchange.day === null
    ? t('1 EUR = {{rate}} DKK, the central rate', { rate })
    : t('1 EUR = {{rate}} DKK, {{day}}', { rate, day: formatDate(exchange.day) })
}
