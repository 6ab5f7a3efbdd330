import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import type { ReactNode } from 'react'
import classes from './Figure.module.css'

type NumProps = { value: number | string | null | undefined; decimals?: number; unit?: string }

type FigureProps = NumProps & {
  /** Whole units after '≈'. */
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
  value: string | undefined
  /** As wide as a number; longer texts take two places on a phone. */
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
