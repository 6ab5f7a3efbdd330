import type { Data } from '@gridmast/contract/call.ts'
import type { FormCall, FormValues } from '#lib/call-form.ts'
import { part } from '#lib/part.tsx'
import type CallFormBody from './CallFormBody.tsx'
import type { Props } from './CallFormBody.tsx'
import { Dialog } from './Dialog.tsx'

/** Form and schemas are loaded with the first dialog, whose boundary waits for it. */
export const CallForm = part(async () => (await import('./CallFormBody.tsx')).default) as unknown as typeof CallFormBody // `part` drops the type parameters

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

export const CallFormDialog = <C extends FormCall, V extends FormValues>(props: DialogProps<C, V>) => {
  const { title, label = title, initial, size = 560, onClose, onDone, ...form } = props
  return (
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
}
