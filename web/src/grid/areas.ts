import type { Customer } from '@gridmast/contract/people/user.ts'

/** The areas of a company, first the area of its first price signal, in which prices open too. */
export const areasOf = ({ areas, powerCost }: Pick<Customer, 'areas' | 'powerCost'>): string[] => {
  const own = powerCost[0]?.area
  return areas.toSorted((a, b) => Number(b === own) - Number(a === own))
}
