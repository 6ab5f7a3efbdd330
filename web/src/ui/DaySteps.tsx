import { ActionIcon, Tooltip } from '@mantine/core'
import { type LocalDate, addDays } from '@gridmast/contract/time.ts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import classes from './DaySteps.module.css'

type Props = {
  value: LocalDate
  onChange: (date: LocalDate) => void
  min?: LocalDate
  max?: LocalDate
  /** The field of the day, between its neighbours. */
  children?: ReactNode
}

/** The day before and the day after, one click each. */
export const DaySteps = ({ value, onChange, min, max, children }: Props) => {
  const { t } = useTranslation()
  const step = (words: string, date: LocalDate, icon: ReactNode) => {
    const isOut = (min !== undefined && date < min) || (max !== undefined && date > max)
    return (
      <Tooltip label={words}>
        <ActionIcon
          className={classes.step ?? ''}
          variant="default"
          size={32}
          aria-label={words}
          disabled={isOut}
          onClick={() => onChange(date)}
        >
          {icon}
        </ActionIcon>
      </Tooltip>
    )
  }
  return (
    <div className={classes.steps} data-day>
      {step(t('Previous day'), addDays(value, -1), <IconChevronLeft size={16} stroke={1.8} />)}
      {children}
      {step(t('Next day'), addDays(value, 1), <IconChevronRight size={16} stroke={1.8} />)}
    </div>
  )
}
