import type { MeterTotals } from '@gridmast/contract/meters/data-hub.ts'
import {
  addDecimals,
  compareDecimals,
  formatNumber,
  multiplyDecimals,
  ratioOfDecimals,
  unknownText,
} from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { isPriced, isWhole } from './coverage.ts'
import type { MeterView } from './meter-view.ts'

const names = { day: 'The day before', month: 'The month before', year: 'The year before' } as const

/** `+3,2 %`; unknown where there is nothing to compare with. */
const changeText = (now: string | undefined | null, before: string | undefined | null): string => {
  if (now == null || before == null || compareDecimals(before, '0') <= 0) return unknownText
  const percent = ratioOfDecimals(multiplyDecimals(addDecimals(now, `-${before}`), '100'), before, 1)
  return `${compareDecimals(now, before) > 0 ? '+' : ''}${formatNumber(percent, { decimals: 1, unit: '%' })}`
}

/** The period before in a line. Only what was read as a whole is compared: half a month is not less than a month. */
export const comparedWords = (now: MeterTotals, before: MeterTotals, view: MeterView): string => {
  const name = t(names[view])
  if (before.kwh === null) return `${name}: ${t('no readings')}`
  const both = [now.coverage, before.coverage]
  const isRead = both.every(isWhole)
  const { intervals, read } = before.coverage
  const kwh = formatNumber(before.kwh, { decimals: 1, unit: 'kWh' })
  const dkk = formatNumber(before.dkk?.total, { decimals: 2, unit: 'DKK' })
  return [
    `${name}: ${isRead ? `${kwh} (${changeText(now.kwh, before.kwh)})` : kwh}`,
    isRead && both.every(isPriced) ? `${dkk} (${changeText(now.dkk?.total, before.dkk?.total)})` : dkk,
    ...(read < intervals
      ? [t('{{n}} read', { n: `${formatNumber((100 * read) / intervals, { decimals: 1, minDecimals: 0 })} %` })]
      : []),
  ].join(' · ')
}
