import { DatePicker, DatesProvider, MonthPicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/da'
import type { ReactNode } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import classes from './Calendar.module.css'

const Dates = ({ children }: { children: ReactNode }) => {
  const { language } = useTranslation()
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [] }}>
      <div className={classes.calendar}>{children}</div>
    </DatesProvider>
  )
}

const useLabels = () => {
  const { t } = useTranslation()
  return {
    previousMonth: t('Previous month'),
    nextMonth: t('Next month'),
    previousYear: t('Previous year'),
    nextYear: t('Next year'),
    previousDecade: t('Previous decade'),
    nextDecade: t('Next decade'),
  }
}

type Limits = { min: string | undefined; max: string | undefined }
const bounds = ({ min, max }: Limits) => ({ ...(min ? { minDate: min } : {}), ...(max ? { maxDate: max } : {}) })

export const DayCalendar = ({
  value,
  today,
  onChange,
  ...limits
}: Limits & { value: string; today: string; onChange: (date: string) => void }) => (
  <Dates>
    <DatePicker
      ariaLabels={useLabels()}
      value={value}
      defaultDate={value}
      getDayProps={(date) => ({
        ...(date === today ? { 'aria-current': 'date' as const } : {}),
        ...(date === value ? { 'data-autofocus': true } : {}),
      })}
      onChange={(date) => date && onChange(date)}
      {...bounds(limits)}
    />
  </Dates>
)

export const RangeCalendar = ({
  value,
  onChange,
  ...limits
}: Limits & { value: [string | null, string | null]; onChange: (range: [string | null, string | null]) => void }) => (
  <Dates>
    <DatePicker
      ariaLabels={useLabels()}
      type="range"
      allowSingleDateInRange
      value={value}
      {...(value[0] ? { defaultDate: value[0] } : {})}
      onChange={onChange}
      {...bounds(limits)}
    />
  </Dates>
)

export const MonthCalendar = ({
  value,
  onChange,
  ...limits
}: Limits & { value: string; onChange: (month: string) => void }) => (
  <Dates>
    <MonthPicker
      ariaLabels={useLabels()}
      value={`${value}-01`}
      defaultDate={`${value}-01`}
      getMonthControlProps={(date) => (date.startsWith(value) ? { 'data-autofocus': true } : {})}
      onChange={(date) => date && onChange(date.slice(0, 7))}
      {...bounds(limits)}
    />
  </Dates>
)
