import { MonthPicker } from '@mantine/dates'
import { useTranslation } from '#lib/i18n.ts'
import { useCalendar } from './calendar.ts'
import { PickerField, type PickerProps } from './PickerField.tsx'
import { formatMonth, parseMonth } from './typed-date.ts'

const firstDay = (month: string | undefined) => month && `${month}-01`

/** A month, typed as MM.YYYY or picked. */
export const MonthField = (props: PickerProps) => {
  const { t } = useTranslation()
  const { value, min, max } = props
  const calendar = useCalendar(firstDay(min), firstDay(max))
  return (
    <PickerField
      {...props}
      width={148}
      placeholder="MM.YYYY"
      format={formatMonth}
      parse={parseMonth}
      unreadable={t('Write a month as MM.YYYY')}
      outside={t('This month cannot be chosen')}
    >
      {(choose) => (
        <MonthPicker
          {...calendar}
          value={`${value}-01`}
          defaultDate={`${value}-01`}
          getMonthControlProps={(date) => (date.startsWith(value) ? { 'data-autofocus': true } : {})}
          onChange={(date) => date && choose(date.slice(0, 7))}
        />
      )}
    </PickerField>
  )
}
