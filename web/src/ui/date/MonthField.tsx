import { today } from '@gridmast/contract/time.ts'
import { Button } from '@mantine/core'
import { MonthPicker } from '@mantine/dates'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCalendar, PickerField, type PickerProps } from './PickerField.tsx'
import { formatMonth, parseMonth } from './typed-date.ts'

const firstDay = (month: string | undefined) => month && `${month}-01`

/** A month, typed as MM.YYYY or picked. */
export const MonthField = (props: PickerProps) => {
  const { value, min, max } = props
  const now = today(useNow(60_000)).slice(0, 7)
  const calendar = useCalendar(firstDay(min), firstDay(max))
  return (
    <PickerField
      {...props}
      width={148}
      placeholder={t('MM.YYYY')}
      format={formatMonth}
      parse={parseMonth}
      unreadable={t('Write a month as MM.YYYY')}
      outside={t('This month cannot be chosen')}
    >
      {(choose) => (
        <>
          <MonthPicker
            {...calendar}
            value={`${value}-01`}
            defaultDate={`${value}-01`}
            getMonthControlProps={(date) => (date.startsWith(value) ? { 'data-autofocus': true } : {})}
            onChange={(date) => date && choose(date.slice(0, 7))}
          />
          {(min === undefined || now >= min) && (max === undefined || now <= max) && (
            <Button variant="subtle" size="xs" fullWidth onClick={() => choose(now)}>
              {t('This month')}
            </Button>
          )}
        </>
      )}
    </PickerField>
  )
}
