import { today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { PickerField, type PickerProps } from './PickerField.tsx'
import { formatMonth, parseMonth } from './typed-date.ts'

/** A month, typed as MM.YYYY or picked. */
export const MonthField = (props: PickerProps) => (
  <PickerField
    {...props}
    width={148}
    placeholder={t('MM.YYYY')}
    format={formatMonth}
    parse={parseMonth}
    unreadable={t('Write a month as MM.YYYY')}
    outside={t('This month cannot be chosen')}
    now={{ label: t('This month'), value: today(useNow(60_000)).slice(0, 7) }}
    calendar="MonthCalendar"
  />
)
