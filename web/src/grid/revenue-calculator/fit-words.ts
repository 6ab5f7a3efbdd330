import type { Sentence } from '#i18n/da.ts'
import type { Asset, Fit } from '@gridmast/contract/grid/market-fit.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'

const needed: Record<Asset['direction'], Sentence> = {
  up: 'Must regulate up',
  down: 'Must regulate down',
  both: 'Must regulate up and down',
}

/** The rule that decided, as a sentence with its figure. */
export const fitWords = ({ needs, fits, rule, limit, alone }: Fit, { area, direction }: Asset): string => {
  if (rule === 'area') return t('Not sold in {{area}}', { area })
  // A limited store must also restore its energy, so it needs both directions.
  if (rule === 'direction')
    return t(direction === needs ? 'Must regulate up and down to recharge the storage' : needed[needs])
  if (rule === 'reaction') return t('Must respond within {{n}} s', { n: digits.limit(limit ?? 0) })
  if (rule === 'duration') return t('Must last {{n}} min', { n: digits.limit(limit ?? 0) })
  if (!fits) return rule === 'power' ? t('Needs power') : t('Needs energy in the storage')
  const bound =
    rule === 'energy'
      ? t('Limited by storage: {{n}} min each way', { n: digits.limit((limit ?? 0) * 60) })
      : limit === null
        ? t('Full power')
        : t('Limited by power: {{n}} kW per kW sold', { n: digits.limit(limit) })
  return alone ? bound : `${bound} · ${t('below the minimum bid, sold through a pool')}`
}
