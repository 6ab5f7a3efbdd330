import type { AlertCriteria, AlertType } from '@gridmast/contract/delivery/alerts.ts'
import type { TriggeredType } from '@gridmast/contract/notifications/triggered.ts'
import { m } from '@gridmast/contract/messages.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'

export const criteriaWords: Record<AlertCriteria, Sentence> = { gt: 'Greater Than', lt: 'Less Than' }
export const typeWords: Record<TriggeredType, Sentence> = {
  power: 'Power',
  consumption: 'Consumption',
  'sold-capacity': 'Sold capacity',
}

/** The name of an alert is the company's text; alerts of the portal itself have a translated name. */
export const triggerName = ({ name, type }: { name: string; type: TriggeredType }): string =>
  type === 'sold-capacity' ? t(m.soldCapacityAtRisk) : name

const units: Record<TriggeredType, string> = { power: 'kW', consumption: 'kWh', 'sold-capacity': 'kW' }
export const unitOf = (type: AlertType): string => units[type]

/** `412,5 kW` */
export const withUnit = (value: number | null, type: TriggeredType): string =>
  `${formatNumber(value, { minDecimals: 0 })} ${units[type]}`
