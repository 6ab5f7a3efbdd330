import type { Data } from '@gridmast/contract/call.ts'
import type { ReactNode } from 'react'
import { type CallFormOf, type FormCall, type FormOptions, type FormValues, useCallForm } from '#lib/call-form.ts'
import { Dialog } from './Dialog.tsx'
import { FormActions } from './FormParts.tsx'
import { type Gap, Stack } from './Layout.tsx'

type Props<C extends FormCall, V extends FormValues> = FormOptions<C, V> & {
  call: C
  label: string
  submit: string
  color?: string
  aside?: ReactNode
  gap?: Gap
  onCancel: () => void
  children: (form: CallFormOf<V>) => ReactNode
}

export const CallForm = <C extends FormCall, V extends FormValues>({
  call,
  label,
  submit,
  color,
  aside,
  gap = 16,
  onCancel,
  children,
  ...options
}: Props<C, V>) => {
  const form = useCallForm<C, V>(call, options)
  return (
    <form aria-label={label} {...form.formProps}>
      <Stack gap={gap}>{children(form)}</Stack>
      <FormActions
        {...(color ? { color } : {})}
        aside={aside}
        onCancel={onCancel}
        sending={form.sending}
        waitS={form.waitS}
      >
        {submit}
      </FormActions>
    </form>
  )
}

type DialogProps<C extends FormCall, V extends FormValues> = Omit<
  Props<C, V>,
  'label' | 'initial' | 'onCancel' | 'onDone'
> & {
  title: string
  label?: string
  /** Null closes the dialog. */
  initial: V | null
  size?: number
  onClose: () => void
  onDone?: (data: Data<C>, values: V) => void
}

export const CallFormDialog = <C extends FormCall, V extends FormValues>({
  title,
  label = title,
  initial,
  size = 560,
  onClose,
  onDone,
  ...form
}: DialogProps<C, V>) => (
  <Dialog opened={initial !== null} onClose={onClose} size={size} title={title}>
    {initial && (
      <CallForm<C, V>
        {...form}
        label={label}
        initial={initial}
        onCancel={onClose}
        onDone={(data, values) => {
          onDone?.(data, values)
          onClose()
        }}
      />
    )}
  </Dialog>
)
