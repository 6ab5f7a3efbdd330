import { TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Early, lateField } from '#ui/late-field.tsx'

export type PickerProps = {
  label: string
  /** ISO: `2026-11-20`, `2026-11`. */
  value: string
  onChange: (value: string) => void
  min?: string
  max?: string
  /** In a form: invalid input is reported as an empty value, so that the previous one is not sent. */
  required?: boolean
  error?: ReactNode
  'data-path'?: string
}

export type PickerFieldProps = PickerProps & {
  autoFocus?: boolean
  width: number
  placeholder: string
  format: (value: string) => string
  parse: (typed: string) => string | null
  unreadable: string
  outside: string
  /** Today or this month, with a button where the limits allow it. */
  now: { label: string; value: string }
  calendar: 'DayCalendar' | 'MonthCalendar'
}

const Closed = ({ early, ...props }: PickerFieldProps & Early) => {
  const { label, width, placeholder, value, format, required, error, 'data-path': path } = props
  return (
    <TextInput
      {...{ label, placeholder, error, 'data-path': path }}
      {...early}
      w={width}
      readOnly
      withAsterisk={required ?? false}
      value={value && format(value)}
      leftSection={<IconCalendar size={16} stroke={1.8} aria-hidden />}
    />
  )
}

export const PickerField = lateField<PickerFieldProps>(async () => (await import('./PickerInput.tsx')).default, Closed)
