import { today } from '@gridmast/contract/time.ts'
import { DatePicker, MonthPicker, type DatePickerPreset } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/da'
import { useNow } from '#lib/clock.ts'
import { currentLanguage, t } from '#lib/i18n.ts'
import classes from './date.module.css'
import { type DateRange, presets } from './typed-date.ts'

/** Common settings of all calendars; the week starts on Monday by default. */
const settings = (min: string | undefined, max: string | undefined) => ({
  className: classes.calendar ?? '',
  locale: currentLanguage(),
  ...(min ? { minDate: min } : {}),
  ...(max ? { maxDate: max } : {}),
  ariaLabels: {
    previousMonth: t('Previous month'),
    nextMonth: t('Next month'),
    previousYear: t('Previous year'),
    nextYear: t('Next year'),
    previousDecade: t('Previous decade'),
    nextDecade: t('Next decade'),
  },
})

type Props = { value: string; min?: string | undefined; max?: string | undefined; onChoose: (value: string) => void }

export const DayCalendar = ({ value, min, max, onChoose }: Props) => {
  const now = today(useNow(60_000))
  return (
    <DatePicker
      {...settings(min, max)}
      weekendDays={[]}
      value={value || null}
      defaultDate={value || now}
      getDayProps={(date) => ({
        ...(date === now ? { 'aria-current': 'date' as const } : {}),
        ...(date === value ? { 'data-autofocus': true } : {}),
      })}
      onChange={(date) => date && onChoose(date)}
    />
  )
}

const firstDay = (month: string | undefined) => month && `${month}-01`

export const MonthCalendar = ({ value, min, max, onChoose }: Props) => (
  <MonthPicker
    {...settings(firstDay(min), firstDay(max))}
    value={`${value}-01`}
    defaultDate={`${value}-01`}
    getMonthControlProps={(date) => (date.startsWith(value) ? { 'data-autofocus': true } : {})}
    onChange={(date) => date && onChoose(date.slice(0, 7))}
  />
)

type RangeProps = {
  from: string | null
  to: string | null
  shown: DateRange
  max?: string | undefined
  onChoose: (from: string | null, to: string | null) => void
}

export const RangeCalendar = ({ from, to, shown, max, onChoose }: RangeProps) => {
  const shortcuts = presets(today(useNow(60_000))).map(({ name, range }): DatePickerPreset<'range'> => ({
    value: [range.start, range.end],
    label: t(name),
  }))
  return (
    <DatePicker
      {...settings(undefined, max)}
      type="range"
      weekendDays={[]}
      allowSingleDateInRange
      presets={shortcuts}
      value={[from, to]}
      defaultDate={shown.start}
      onChange={([first, last]) => onChoose(first, last)}
    />
  )
}
