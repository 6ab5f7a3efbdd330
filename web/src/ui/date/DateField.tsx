import { formatDate, today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { PickerField, type PickerProps } from './PickerField.tsx'
import { parseDate } from './typed-date.ts'

/** A local day, typed as DD.MM.YYYY or picked. */
export const DateField = (props: PickerProps) => (
  <PickerField
    {...props}
    width={172}
    placeholder={t('DD.MM.YYYY')}
    format={formatDate}
    parse={parseDate}
    unreadable={t('Write a date as DD.MM.YYYY')}
    outside={t('This date cannot be chosen')}
    now={{ label: t('Today'), value: today(useNow(60_000)) }}
    calendar="DayCalendar"
  />
)
