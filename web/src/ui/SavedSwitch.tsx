import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { Switch, type SwitchProps } from '@mantine/core'
import { useRef, useState } from 'react'
import { useDo } from '#lib/query.ts'

type Saving<C extends CallShape, V> = {
  sent: (value: V) => Sent<C>
  onSaved?: ((data: Data<C>, value: V) => void) | undefined
  /** As in `useDo`. */
  scope?: string
}

/** A choice that is saved at once. The latest one is shown, and sent after the answer to the earlier one, even when the row is unmounted. */
export const useChoice = <C extends CallShape, V extends string | boolean>(
  call: C,
  saved: V,
  { sent, onSaved, scope }: Saving<C, V>,
) => {
  const { mutate, isPending } = useDo(call, scope ? { scope } : {})
  const [chosen, setChosen] = useState<V | null>(null)
  const last = useRef(saved)
  const isSending = useRef(false)
  if (chosen === saved && !isPending) setChosen(null)
  const save = (value: V) => {
    isSending.current = true
    mutate(sent(value), {
      onSuccess: (data) => {
        isSending.current = false
        if (last.current === value) onSaved?.(data, value)
        else save(last.current)
      },
      onError: () => {
        isSending.current = false
        setChosen(null)
      },
      whenGone: () => {
        if (last.current !== value) save(last.current)
      },
    })
  }
  const choose = (value: V) => {
    last.current = value
    setChosen(value)
    if (!isSending.current) save(value)
  }
  return { value: chosen ?? saved, choose }
}

type Props<C extends CallShape> = Omit<SwitchProps, 'checked' | 'onChange'> & {
  checked: boolean
  call: C
  sent: (checked: boolean) => Sent<C>
  onSaved?: (data: Data<C>, checked: boolean) => void
}

export const SavedSwitch = <C extends CallShape>({ checked, call, sent, onSaved, ...props }: Props<C>) => {
  const { value, choose } = useChoice(call, checked, { sent, onSaved })
  return (
    <Switch
      withThumbIndicator={false}
      checked={value}
      onChange={(event) => choose(event.currentTarget.checked)}
      {...props}
    />
  )
}
