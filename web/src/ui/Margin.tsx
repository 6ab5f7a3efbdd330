import { formatNumber } from '@gridmast/contract/numbers.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import classes from './Margin.module.css'
import { Tag } from './Tag.tsx'

const kw = (value: number) => `${formatNumber(value, { decimals: 1 })} kW`

/** Sold capacity, and the rest of the available one. */
export const Margin = ({ availableKw, soldKw }: { availableKw: number | null; soldKw: number }) => {
  const margin = availableKw === null ? null : availableKw - soldKw
  return (
    <p className={classes.margin}>
      <span>
        {t('Sold now')} <b>{kw(soldKw)}</b>
      </span>
      {soldKw > 0 &&
        margin !== null &&
        (margin < 0 ? (
          <Tag kind="down" icon={<IconAlertTriangle stroke={2} aria-hidden />}>
            {t('Short {{kw}}', { kw: kw(-margin) })}
          </Tag>
        ) : (
          <span>
            {t('Margin')} <b>{kw(margin)}</b>
          </span>
        ))}
    </p>
  )
}
