import { Button, type ButtonProps, Group } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { AroundForm } from '#lib/around-form.ts'
import { t } from '#lib/i18n.ts'
import { SubmitButton } from './SubmitButton.tsx'

type Props = Pick<ButtonProps, 'color' | 'leftSection' | 'disabled'> & {
  onCancel: () => void
  /** Where nothing is given up by it: 'Close'. */
  cancel?: string
  sending: boolean
  waitS?: number
  /** At the far left: another act, or how far it is. */
  aside?: ReactNode
  children: string
}

/** The end of a form in a dialog: the way out, then what sends it. */
export const FormActions = ({ onCancel, cancel, waitS = 0, aside, ...submit }: Props) => {
  const { leave } = use(AroundForm)
  return (
    <Group justify="flex-end" gap={8} mt={20}>
      {aside && <span style={{ marginRight: 'auto' }}>{aside}</span>}
      <Button variant="default" onClick={() => leave(onCancel)}>
        {cancel ?? t('Cancel')}
      </Button>
      <SubmitButton waitS={waitS} {...submit} />
    </Group>
  )
}
