import type { Customer } from '@gridmast/contract/people/user.ts'
import { t } from '#lib/i18n.ts'
import type { Threshold } from '#ui/Chart/model.ts'

/** `lineMin` and `lineMax` of the customer, each if it is switched on. */
export const thresholdsOf = ({
  enableLineMin,
  lineMin,
  enableLineMax,
  lineMax,
}: Customer['properties']): Threshold[] => [
  ...(enableLineMax && lineMax !== undefined
    ? [{ name: t('Upper limit'), value: lineMax, plate: 'above' as const }]
    : []),
  ...(enableLineMin && lineMin !== undefined
    ? [{ name: t('Lower limit'), value: lineMin, plate: 'below' as const }]
    : []),
]
