import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { Switch, type SwitchProps } from '@mantine/core'
import { useChoice } from '#lib/choice.ts'

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
