import type { AlertCriteria, AlertType, TriggeredType } from '@gridmast/contract/alerts.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Sentence } from '#i18n/da.ts'

export const criteriaWords: Record<AlertCriteria, Sentence> = { gt: 'Greater Than', lt: 'Less Than' }
export const typeWords: Record<TriggeredType, Sentence> = {
  power: 'Power',
  consumption: 'Consumption',
  'sold-capacity': 'Sold capacity',
}

const units: Record<TriggeredType, string> = { power: 'kW', consumption: 'kWh', 'sold-capacity': 'kW' }
export const unitOf = (type: AlertType): string => units[type]

/** `412,5 kW` */
export const withUnit = (value: number | null, type: TriggeredType): string =>
  `${formatNumber(value, { minDecimals: 0 })} ${units[type]}`
