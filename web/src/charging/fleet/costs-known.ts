import type { ChargingSums } from '@gridmast/contract/charging/charging-costs.ts'

/** A sum of which nothing is known is unknown. */
export const knownSum = (costs: ChargingSums, sum: string): string | null =>
  costs.kwh > 0 && costs.kwh <= costs.kwhWithoutCost ? null : sum

/** Some of the energy has a cost, and some has none yet: the sum is not final. */
export const isKnownInPart = ({ kwh, kwhWithoutCost }: ChargingSums): boolean =>
  kwhWithoutCost > 0 && kwhWithoutCost < kwh
