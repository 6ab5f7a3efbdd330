import { Button, type ButtonProps, Group } from '@mantine/core'
import { useTranslation } from '#lib/i18n.ts'
import { SubmitButton } from './SubmitButton.tsx'

type Props = Pick<ButtonProps, 'color' | 'leftSection' | 'disabled'> & {
  onCancel: () => void
  /** Where nothing is given up by it: 'Close'. */
  cancel?: string
  sending: boolean
  waitS?: number
  children: string
}

/** The end of a form in a dialog: the way out, then what sends it. */
export const FormActions = ({ onCancel, cancel, waitS = 0, ...submit }: Props) => {
  const { t } = useTranslation()
  return (
    <Group justify="flex-end" gap={8} mt={20}>
      <Button variant="default" onClick={onCancel}>
        {cancel ?? t('Cancel')}
      </Button>
      <SubmitButton waitS={waitS} {...submit} />
    </Group>
  )
}
