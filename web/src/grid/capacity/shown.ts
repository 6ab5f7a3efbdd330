import type { Customer } from '@gridmast/contract/people/user.ts'

/** All instances of the market together. */
export const allInstances = 'all'

type Instances = Customer['instances']

export const instancesOf = (market: string, instances: Instances): Instances =>
  instances.filter((one) => one.market.includes(market))

/** The instance that is chosen, or `allInstances`; null without instances in the market. */
export const shownOf = (own: Instances, chosen: string): string | null => {
  const [first] = own
  if (own.length < 2) return first?._id ?? null
  return own.some(({ _id }) => _id === chosen) ? chosen : allInstances
}
