import type { Customer } from '@gridmast/contract/user.ts'

/** All instances of the market together. */
export const together = 'all'

type Instances = Customer['instances']

export const instancesOf = (market: string, instances: Instances): Instances =>
  instances.filter((one) => one.market.includes(market))

/** The instance that is chosen, or all of them `together`; null where the market has none. */
export const shownOf = (own: Instances, chosen: string): string | null =>
  own.find(({ _id }, _, { length }) => _id === chosen || length === 1)?._id ?? (own.length > 1 ? together : null)
