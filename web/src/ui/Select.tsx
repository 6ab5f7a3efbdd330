import { type ComboboxData, type MultiSelectProps, type SelectProps, TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Early, lateField } from './late-field.tsx'

type Choice = string | { value: string; label?: string }

const labelsOf = (data: ComboboxData | undefined, values: readonly string[]): string => {
  const choices = (data ?? []).flatMap((choice): Choice | Choice[] =>
    typeof choice === 'object' && 'items' in choice ? choice.items : choice,
  )
  const labels = choices.flatMap((choice) => {
    const { value, label = value } = typeof choice === 'object' ? choice : { value: choice }
    return values.includes(value) ? label : []
  })
  return labels.join(', ')
}

type Marks = { 'data-path'?: string; 'data-autofocus'?: boolean }

const Closed = ({ early, ...props }: (SelectProps | MultiSelectProps) & Early & Marks) => {
  const { label, description, placeholder, error, withAsterisk, required, disabled, w, size, className } = props
  const { 'aria-label': name, 'data-path': path, 'data-autofocus': isFirst } = props
  return (
    <TextInput
      {...{ label, description, placeholder, error, withAsterisk, required, disabled, w, size, className }}
      {...{ 'aria-label': name, 'data-path': path, 'data-autofocus': isFirst }}
      {...early}
      readOnly
      pointer
      value={labelsOf(props.data, [props.value ?? []].flat())}
      rightSection={<IconSelector size={16} stroke={1.6} color="var(--gm-ink3)" aria-hidden />}
      rightSectionPointerEvents="none"
    />
  )
}

const clicked = { defaultDropdownOpened: true }

type SelectOf = <V extends string = string>(props: SelectProps<V>) => ReactNode

/** One of some choices. */
export const Select = lateField<SelectProps>(
  async () => (await import('./MantineSelect.tsx')).default,
  Closed,
  clicked,
) as SelectOf // a component with a type parameter cannot be made by a function without one

/** Any of some choices. */
export const MultiSelect = lateField<MultiSelectProps>(
  async () => (await import('./MantineMultiSelect.tsx')).default,
  Closed,
  clicked,
)
