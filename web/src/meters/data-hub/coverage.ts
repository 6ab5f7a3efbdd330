import type { MeterTotals } from '@gridmast/contract/meters/data-hub.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'

type Coverage = MeterTotals['coverage']

export const isWhole = ({ intervals, read }: Coverage): boolean => intervals > 0 && read >= intervals
/** Each reading has a price. */
export const isPriced = ({ read, priced }: Coverage): boolean => priced >= read

const share = (count: number, all: number) => formatNumber((100 * count) / all, { decimals: 1, minDecimals: 0 })

/** `93 of 96 quarters measured, 2 estimated, 1 missing`; of more than a day in percent. */
export const coverageWords = (
  { intervals, read, estimated }: Coverage,
  { isDay, resolution }: { isDay: boolean; resolution: 'quarter' | 'hour' },
): string => {
  if (intervals === 0) return ''
  const [measured, missing] = [read - estimated, Math.max(0, intervals - read)]
  const words = isDay
    ? [
        resolution === 'quarter'
          ? t('{{n}} of {{total}} quarters measured', { n: measured, total: intervals })
          : t('{{n}} of {{total}} hours measured', { n: measured, total: intervals }),
        estimated > 0 && t('{{n}} estimated', { n: estimated }),
        missing > 0 && t('{{n}} missing', { n: missing }),
      ]
    : [
        t('{{n}} measured', { n: `${share(measured, intervals)} %` }),
        estimated > 0 && t('{{n}} estimated', { n: `${share(estimated, intervals)} %` }),
        missing > 0 && t('{{n}} missing', { n: `${share(missing, intervals)} %` }),
      ]
  return words.filter(Boolean).join(', ')
}

/** What is in the consumption and not in the cost, or not in the emission. */
export const leftOutWords = ({ read, priced, emission }: Coverage): string[] =>
  read === 0
    ? []
    : [
        priced < read &&
          t('{{n}} of the readings have no price and no cost.', { n: `${share(read - priced, read)} %` }),
        emission < read &&
          t('{{n}} of the readings have no known emission.', { n: `${share(read - emission, read)} %` }),
      ].filter((words) => words !== false)
