import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import type { ReactNode } from 'react'
import { IconAlertTriangle } from '@tabler/icons-react'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import classes from './Figure.module.css'
import { Tag } from './Tag.tsx'

export const Margin = ({ availableKw, soldKw }: { availableKw: number | null; soldKw: number }) => {
  const margin = availableKw === null ? null : availableKw - soldKw
  return (
    <p className={classes.margin}>
      <span>
        {t('Sold now')} <b>{format.kw(soldKw)}</b>
      </span>
      {soldKw > 0 &&
        margin !== null &&
        (margin < 0 ? (
          <Tag kind="down" icon={<IconAlertTriangle stroke={2} aria-hidden />}>
            {t('Short {{kw}}', { kw: format.kw(-margin) })}
          </Tag>
        ) : (
          <span>
            {t('Margin')} <b>{format.kw(margin)}</b>
          </span>
        ))}
    </p>
  )
}

type NumProps = { value: number | string | null | undefined; decimals?: number; unit?: string }

type FigureProps = NumProps & {
  approximate?: boolean
  label?: ReactNode
  size?: 'l' | 'm'
  /** Omitted on a phone, where a row has three figures. */
  spare?: boolean
}

/** An unknown value has no unit. */
export const Figure = ({ label, value, decimals = 2, unit, size = 'm', spare, approximate }: FigureProps) => {
  const number = formatNumber(value, { decimals: approximate ? 0 : decimals })
  const text = approximate && number !== unknownText ? `≈ ${number}` : number
  return (
    <div className={classes.figure} data-spare={spare || undefined}>
      {label && <div className={classes.label}>{label}</div>}
      <div className={classes.value} data-size={size}>
        {text}
        {unit && text !== unknownText && <span className={classes.unit}>{unit}</span>}
      </div>
    </div>
  )
}

type TextFigureProps = {
  label: ReactNode
  value: ReactNode
  short?: boolean
}

export const TextFigure = ({ label, value, short }: TextFigureProps) => (
  <div className={`${classes.figure} ${short ? '' : classes.wide}`}>
    <div className={classes.label}>{label}</div>
    <div className={classes.value} data-size="m">
      {value ?? unknownText}
    </div>
  </div>
)
