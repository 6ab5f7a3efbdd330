import { formatDate, today } from '@gridmast/contract/time.ts'
import { Button } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { t } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { useCalendar, PickerField, type PickerProps } from './PickerField.tsx'
import { parseDate } from './typed-date.ts'

/** A local day, typed as DD.MM.YYYY or picked. */
export const DateField = (props: PickerProps) => {
  const { value, min, max } = props
  const now = today(useNow(60_000))
  const calendar = useCalendar(min, max)
  return (
    <PickerField
      {...props}
      width={172}
      placeholder={t('DD.MM.YYYY')}
      format={formatDate}
      parse={parseDate}
      unreadable={t('Write a date as DD.MM.YYYY')}
      outside={t('This date cannot be chosen')}
    >
      {(choose) => (
        <>
          <DatePicker
            {...calendar}
            weekendDays={[]}
            value={value || null}
            defaultDate={value || now}
            getDayProps={(date) => ({
              ...(date === now ? { 'aria-current': 'date' as const } : {}),
              ...(date === value ? { 'data-autofocus': true } : {}),
            })}
            onChange={(date) => date && choose(date)}
          />
          {(min === undefined || now >= min) && (max === undefined || now <= max) && (
            <Button variant="subtle" size="xs" fullWidth onClick={() => choose(now)}>
              {t('Today')}
            </Button>
          )}
        </>
      )}
    </PickerField>
  )
}
