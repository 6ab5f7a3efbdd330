import { ActionIcon } from '@mantine/core'
import { type LocalDate, addDays, addMonths } from '@gridmast/contract/time.ts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import classes from '#ui/date/date.module.css'

/** A month and a year step to their first day. */
const units = {
  day: {
    name: 'Day',
    previous: 'Previous day',
    next: 'Next day',
    by: (date: LocalDate, n: number) => addDays(date, n),
  },
  month: {
    name: 'Month',
    previous: 'Previous month',
    next: 'Next month',
    by: (date: LocalDate, n: number) => `${addMonths(date.slice(0, 7), n)}-01`,
  },
  year: {
    name: 'Year',
    previous: 'Previous year',
    next: 'Next year',
    by: (date: LocalDate, n: number) => `${Number(date.slice(0, 4)) + n}-01-01`,
  },
} as const

type Props = {
  value: LocalDate
  unit?: keyof typeof units
  onChange: (date: LocalDate) => void
  min?: LocalDate
  max?: LocalDate
  children?: ReactNode
}

export const DaySteps = ({ value, unit = 'day', onChange, min, max, children }: Props) => {
  const { name, previous, next, by } = units[unit]
  const step = (words: string, date: LocalDate, icon: ReactNode) => {
    const isOut = (min !== undefined && date < min) || (max !== undefined && date > max)
    return (
      <ActionIcon
        data-tip={words}
        className={classes.step ?? ''}
        variant="default"
        size={32}
        aria-label={words}
        disabled={isOut}
        onClick={() => onChange(date)}
      >
        {icon}
      </ActionIcon>
    )
  }
  return (
    <div className={classes.steps} role="group" aria-label={t(name)} data-day>
      {step(t(previous), by(value, -1), <IconChevronLeft size={16} stroke={1.8} />)}
      {children}
      {step(t(next), by(value, 1), <IconChevronRight size={16} stroke={1.8} />)}
    </div>
  )
}
