import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { ScopeFigures } from '@gridmast/contract/meters/scope-2.ts'
import { t } from '#lib/i18n.ts'
import { Tag } from '#ui/Tag.tsx'
import { shareText } from './report-words.ts'

type Props = { figures: ScopeFigures }

/** Energy that is in the consumption and not in the emission. */
export const WithoutFactor = ({ figures: { kwhWithoutFactor } }: Props) => {
  const kwh = Number(kwhWithoutFactor)
  if (kwh === 0) return null
  return (
    <Tag kind="warn">
      {t('Without factor: {{kwh}} kWh', { kwh: formatNumber(kwhWithoutFactor, { decimals: kwh < 1 ? 3 : 0 }) })}
    </Tag>
  )
}

/** Time whose energy is in neither sum. */
export const NotRead = ({ figures: { hours } }: Props) => {
  if (hours.missing === 0) return null
  return <Tag kind="warn">{t('Not read: {{share}} %', { share: shareText(hours.missing, hours.all) })}</Tag>
}
