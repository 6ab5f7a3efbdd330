import type { Sentence } from '#i18n/da.ts'
import type { Asset, Fit } from '@gridmast/contract/grid/market-fit.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'

const short = (value: number) => formatNumber(value, { decimals: 2, minDecimals: 0 })

const needed: Record<Asset['direction'], Sentence> = {
  up: 'Must regulate up',
  down: 'Must regulate down',
  both: 'Must regulate up and down',
}

/** The rule that decided, as a sentence with its figure. */
export const fitWords = ({ needs, fits, rule, limit, alone }: Fit, { area, direction }: Asset): string => {
  if (rule === 'area') return t('Not sold in {{area}}', { area })
  // A limited store must also move its energy back, so one way is not enough even where it is the way that is sold.
  if (rule === 'direction')
    return t(direction === needs ? 'Must regulate up and down to recharge the storage' : needed[needs])
  if (rule === 'reaction') return t('Must respond within {{n}} s', { n: short(limit ?? 0) })
  if (rule === 'duration') return t('Must last {{n}} min', { n: short(limit ?? 0) })
  if (!fits) return rule === 'power' ? t('Needs power') : t('Needs energy in the storage')
  const bound =
    rule === 'energy'
      ? t('Limited by storage: {{n}} min each way', { n: short((limit ?? 0) * 60) })
      : limit === null
        ? t('Full power')
        : t('Limited by power: {{n}} kW per kW sold', { n: short(limit) })
  return alone ? bound : `${bound} · ${t('below the minimum bid, sold through a pool')}`
}
