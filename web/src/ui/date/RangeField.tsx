import { TextInput } from '@mantine/core'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconCalendar } from '@tabler/icons-react'
import { usePhone } from '#lib/phone.ts'
import { type Early, lateField } from '#ui/late-field.tsx'
import type { DateRange } from './typed-date.ts'

export type RangeFieldProps = {
  label: string
  value: DateRange
  onChange: (range: DateRange) => void
  max?: string
  autoFocus?: boolean
  isOpened?: boolean
}

const Closed = ({ early, label, value }: RangeFieldProps & Early) => (
  <TextInput
    {...early}
    label={label}
    w={usePhone() ? '100%' : 228}
    readOnly
    pointer
    aria-haspopup="dialog"
    value={`${formatDate(value.start)} – ${formatDate(value.end)}`}
    leftSection={<IconCalendar size={16} stroke={1.8} />}
  />
)

/** Two days, picked, typed or from a preset. */
export const RangeField = lateField<RangeFieldProps>(async () => (await import('./RangeInput.tsx')).default, Closed, {
  isOpened: true,
})
