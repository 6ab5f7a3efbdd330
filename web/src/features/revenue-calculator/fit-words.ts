import type { Sentence } from '#i18n/da.ts'
import type { Asset, Fit } from '@gridmast/contract/market-fit.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { TFunction } from '#lib/i18n.ts'

const short = (value: number) => formatNumber(value, { decimals: 2, minDecimals: 0 })

const needed: Record<Asset['direction'], Sentence> = {
  up: 'Needs help by less consumption',
  down: 'Needs help by more consumption',
  both: 'Needs help both ways',
}

/** The rule that decided, as a sentence with its figure. */
export const fitWords = (
  { needs, fits, rule, limit, alone }: Fit,
  { area, direction }: Asset,
  t: TFunction,
): string => {
  if (rule === 'area') return t('Not sold in {{area}}', { area })
  // A limited store must also move its energy back, so one way is not enough even where it is the way that is sold.
  if (rule === 'direction') return t(direction === needs ? 'Needs help both ways, to refill the store' : needed[needs])
  if (rule === 'reaction') return t('Must react within {{n}} s', { n: short(limit ?? 0) })
  if (rule === 'duration') return t('Must hold for {{n}} min', { n: short(limit ?? 0) })
  if (!fits) return rule === 'power' ? t('Needs power') : t('Needs a store that holds energy')
  const bound =
    rule === 'energy'
      ? t('Bounded by the store: {{n}} min each way', { n: short((limit ?? 0) * 60) })
      : limit === null
        ? t('The whole power')
        : t('Bounded by power: {{n}} kW for each kW sold', { n: short(limit) })
  return alone ? bound : `${bound} · ${t('below the smallest bid: sold in a pool')}`
}
