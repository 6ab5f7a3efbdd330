import { type ComboboxData, type SelectProps, TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Early, lateField } from './late-field.tsx'

type Choice = string | { value: string; label?: string }

const labelOf = (choices: ComboboxData, value: SelectProps['value']): string => {
  const all = choices.flatMap((choice): Choice | Choice[] =>
    typeof choice === 'object' && 'items' in choice ? choice.items : choice,
  )
  const chosen = all.find((choice) => value === (typeof choice === 'object' ? choice.value : choice))
  return (typeof chosen === 'object' ? chosen.label : chosen) ?? ''
}

const Closed = ({ early, ...props }: SelectProps & Early) => {
  const { label, 'aria-label': name, description, placeholder, error, withAsterisk, disabled, w, size, className } = props
  return (
    <TextInput
      {...{ label, 'aria-label': name, description, placeholder, error, withAsterisk, disabled, w, size, className }}
      {...early}
      readOnly
      pointer
      value={labelOf(props.data ?? [], props.value)}
      rightSection={<IconSelector size={16} stroke={1.6} aria-hidden />}
      rightSectionPointerEvents="none"
    />
  )
}

type SelectOf = <V extends string = string>(props: SelectProps<V>) => ReactNode

/** One of some choices. */
export const Select = lateField<SelectProps>(async () => (await import('./MantineSelect.tsx')).default, Closed, {
  defaultDropdownOpened: true,
}) as SelectOf // a component with a type parameter cannot be made by a function without one
