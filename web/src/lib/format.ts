import { limits } from '@gridmast/contract/limits.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { sourceLine, type PublishedSource, type SimulatedSum } from '@gridmast/contract/source.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { t } from './i18n.ts'

type Amount = string | number | null | undefined

/** A smaller `minDecimals` omits trailing zeros. */
const quantities = {
  count: { decimals: 0 },
  percent: { decimals: 1, minDecimals: 0, unit: '%' },
  fixedPercent: { decimals: 1, unit: '%' },
  wholePercent: { decimals: 0, unit: '%' },
  sharePercent: { decimals: 2, minDecimals: 0, unit: '%' },
  contractPercent: { decimals: 3, minDecimals: 0, unit: '%' },
  gapPercent: { decimals: 2, unit: '%' },

  kw: { decimals: 1, unit: 'kW' },
  trimmedKw: { decimals: 1, minDecimals: 0, unit: 'kW' },
  wholeKw: { decimals: 0, unit: 'kW' },
  mw: { decimals: 3, minDecimals: 0, unit: 'MW' },
  fixedMw: { decimals: 3, unit: 'MW' },
  amperes: { decimals: 0, unit: 'A' },

  kwh: { decimals: 2, unit: 'kWh' },
  kwhTotal: { decimals: 1, unit: 'kWh' },
  meterKwh: { decimals: 3, unit: 'kWh' },
  sessionKwh: { decimals: 3, minDecimals: 1, unit: 'kWh' },
  wholeKwh: { decimals: 0, unit: 'kWh' },
  mwh: { decimals: 3, unit: 'MWh' },
  exactMwh: { decimals: 6, minDecimals: 0, unit: 'MWh' },

  dkk: { decimals: 2, unit: 'DKK' },
  wholeDkk: { decimals: 0, unit: 'DKK' },
  quarterDkk: { decimals: 4, unit: 'DKK' },
  exactDkk: { decimals: 6, minDecimals: 2, unit: 'DKK' },
  eur: { decimals: 2, unit: '€' },
  trimmedEur: { decimals: 2, minDecimals: 0, unit: '€' },
  exactEur: { decimals: 6, minDecimals: 2, unit: '€' },

  price: { decimals: 2 },
  tax: { decimals: limits.taxDecimals, minDecimals: 0 },
  dkkPerKwh: { decimals: 4, minDecimals: 2, unit: 'DKK/kWh' },
  hourDkkPerKwh: { decimals: 3, unit: 'DKK/kWh' },
  dkkPerMwh: { decimals: 2, unit: 'DKK/MWh' },
  exactDkkPerMwh: { decimals: 4, minDecimals: 2, unit: 'DKK/MWh' },
  eurPerMwh: { decimals: 2, unit: '€/MWh' },

  kgCo2: { decimals: 1, unit: 'kg CO₂' },
  meterKgCo2: { decimals: 2, unit: 'kg CO₂' },
  gPerKwh: { decimals: 0, unit: 'g/kWh' },

  hours: { decimals: 2, minDecimals: 0, unit: 'h' },
  seconds: { decimals: 2, unit: 's' },
  score: { decimals: 1 },
  slope: { decimals: 2 },
  weight: { decimals: 2, minDecimals: 1 },
  target: { decimals: 1 },
  limit: { decimals: 2, minDecimals: 0 },
}

type Formats = Record<keyof typeof quantities, (amount: Amount) => string>

type Quantity = { decimals: number; minDecimals?: number; unit?: string }

const formats = Object.entries<Quantity>(quantities)

/** Amounts with their unit; an unknown one is `–` without it. */
export const format = Object.fromEntries(
  formats.map(([quantity, digits]) => [quantity, (amount: Amount) => formatNumber(amount, digits)]),
) as Formats

/** The same amounts without unit, for texts and columns that name it. */
export const digits = Object.fromEntries(
  formats.map(([quantity, { unit: _, ...places }]) => [quantity, (amount: Amount) => formatNumber(amount, places)]),
) as Formats

/** Percent of a share from 0 to 1. */
export const percentOfShare = (share: number | null) => digits.fixedPercent(share === null ? null : share * 100)

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
