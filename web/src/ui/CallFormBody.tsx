import type { ReactNode } from 'react'
import { type CallFormOf, type FormCall, type FormOptions, type FormValues, useCallForm } from '#lib/call-form.ts'
import { FormActions } from './FormParts.tsx'
import { type Gap, Stack } from './Layout.tsx'

export type Props<C extends FormCall, V extends FormValues> = FormOptions<C, V> & {
  call: C
  label: string
  submit: string
  color?: string
  aside?: ReactNode
  gap?: Gap
  onCancel: () => void
  children: (form: CallFormOf<V>) => ReactNode
}

const CallForm = <C extends FormCall, V extends FormValues>(props: Props<C, V>) => {
  const { call, label, submit, color, aside, gap = 16, onCancel, children, ...options } = props
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

export default CallForm
