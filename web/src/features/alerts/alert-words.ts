import { type AlertCriteria, type AlertType } from '@gridmast/contract/alerts.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Sentence } from '#i18n/da.ts'

export const criteriaWords: Record<AlertCriteria, Sentence> = { gt: 'Greater Than', lt: 'Less Than' }
export const typeWords: Record<AlertType, Sentence> = { power: 'Power', consumption: 'Consumption' }

const units: Record<AlertType, string> = { power: 'kW', consumption: 'kWh' }
export const unitOf = (type: AlertType): string => units[type]

/** `412,5 kW` */
export const withUnit = (value: number, type: AlertType): string =>
  `${formatNumber(value, { minDecimals: 0 })} ${units[type]}`
