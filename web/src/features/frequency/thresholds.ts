import type { Customer } from '@gridmast/contract/user.ts'
import type { Threshold } from '#ui/Chart/model.ts'

/** `lineMin` and `lineMax` of the customer, each if it is switched on. */
export const thresholdsOf = ({
  enableLineMin,
  lineMin,
  enableLineMax,
  lineMax,
}: Customer['properties']): Threshold[] => [
  ...(enableLineMax && lineMax !== undefined ? [{ name: 'lineMax', value: lineMax, plate: 'above' as const }] : []),
  ...(enableLineMin && lineMin !== undefined ? [{ name: 'lineMin', value: lineMin, plate: 'below' as const }] : []),
]
