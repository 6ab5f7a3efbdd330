import { Button, type ButtonProps, Group } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { AroundForm } from '#lib/unsaved.ts'
import { t } from '#lib/i18n.ts'

type SubmitButtonProps = ButtonProps & { sending: boolean; waitS: number; children: string }

export const SubmitButton = ({ sending, waitS, disabled, children, ...props }: SubmitButtonProps) => (
  <Button type="submit" loading={sending} disabled={waitS > 0 || disabled} {...props}>
    {waitS > 0 ? t('Try again in {{seconds}} s', { seconds: waitS }) : children}
  </Button>
)

type Props = Pick<ButtonProps, 'color' | 'leftSection' | 'disabled'> & {
  onCancel: () => void
  /** Label 'Close' when nothing is discarded. */
  cancel?: string
  sending: boolean
  waitS?: number
  aside?: ReactNode
  children: string
}

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
