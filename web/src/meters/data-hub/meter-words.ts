import type { Meter, MeterGroup, Quality } from '@gridmast/contract/meters/data-hub.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import type { Status } from '#ui/Tag.tsx'

/** `31 24 58 07`, as it is written in Denmark. */
export const cvrText = (key: string): string => key.replace(/(\d\d)(?=\d)/g, '$1 ')

export const groupText = ({ key, name }: Pick<MeterGroup, 'key' | 'name'>): string =>
  name ? `${cvrText(key)} ${name}` : cvrText(key)

/** Eloverblik has a day a day or two after it; older than this something is wrong. */
const staleMs = 4 * 24 * hourMs

export const statusOf = ({ configured, dataHub, problem, lastRead }: Meter, nowMs: number): Status => {
  if (!configured || !dataHub.enabled) return 'off'
  if (problem !== null) return 'failed'
  return lastRead === null || nowMs - Date.parse(lastRead) > staleMs ? 'stale' : 'fresh'
}

export const statusWords = {
  off: 'Switched off',
  failed: 'Not readable',
  stale: 'No new readings',
  fresh: 'Up to date',
} as const satisfies Record<Status, string>

export const qualityWords = {
  measured: 'Measured',
  estimated: 'Estimated',
  adjusted: 'Adjusted',
  incomplete: 'Incomplete',
  missing: 'Missing',
} as const satisfies Record<Quality, string>

export const partNames = { spot: 'Spot price', tariff: 'Tariff', tax: 'Tax' } as const

/** Why an interval has no cost. */
export const unknownWords = {
  reading: 'The cost is unknown: there is no reading.',
  spot: 'The cost is unknown: no spot price is published.',
  tariff: 'The cost is unknown: the tariff has no price for this time.',
} as const
