import type { Customer } from '@gridmast/contract/people/user.ts'

export const allInstances = 'all'

type Instances = Customer['instances']

export const instancesOf = (market: string, instances: Instances): Instances =>
  instances.filter((one) => one.market.includes(market))

/** Instance id or `allInstances`; null without instances in the market. */
export const chosenInstance = (ofMarket: Instances, chosen: string): string | null => {
  if (ofMarket.length < 2) return ofMarket[0]?._id ?? null
  return ofMarket.some(({ _id }) => _id === chosen) ? chosen : allInstances
}

const maxPoints = 1800

export const frequencyRequest = (frequencyId: string) => ({ params: { id: frequencyId }, query: { maxPoints } })
