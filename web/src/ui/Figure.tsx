import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import type { ReactNode } from 'react'
import classes from './Figure.module.css'

type NumProps = { value: number | string | null | undefined; decimals?: number; unit?: string }

type FigureProps = NumProps & {
  /** An estimate: whole units after '≈'. */
  approximate?: boolean
  label?: ReactNode
  size?: 'l' | 'm'
  /** Left out on a phone, where three figures fill a row. */
  spare?: boolean
}

/** A number that a card is about, its caption above. What is not known has no unit. */
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
  /** As short as a number; others take two places on a phone. */
  short?: boolean
}

/** A figure that is not a number: a span of time. */
export const TextFigure = ({ label, value, short }: TextFigureProps) => (
  <div className={`${classes.figure} ${short ? '' : classes.wide}`}>
    <div className={classes.label}>{label}</div>
    <div className={classes.value} data-size="m">
      {value ?? unknownText}
    </div>
  </div>
)
