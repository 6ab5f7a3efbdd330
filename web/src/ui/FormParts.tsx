import { IconLock } from '@tabler/icons-react'
import { type ReactNode, use } from 'react'
import { Button, type ButtonProps, Group } from '@mantine/core'
import { t } from '#lib/i18n.ts'
import { UnsavedGuard } from '#lib/unsaved.ts'
import classes from './FormParts.module.css'

export const Fields = ({ readOnlyReason, children }: { readOnlyReason?: string | null; children: ReactNode }) => (
  <>
    {readOnlyReason && (
      <p className={classes.note}>
        <IconLock size={16} stroke={1.8} aria-hidden />
        {readOnlyReason}
      </p>
    )}
    <fieldset className={classes.fields} disabled={Boolean(readOnlyReason)}>
      {children}
    </fieldset>
  </>
)

export const Wide = ({ children }: { children: ReactNode }) => <div className={classes.wide}>{children}</div>
export const Actions = ({ children }: { children: ReactNode }) => <div className={classes.actions}>{children}</div>

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
  const { leave } = use(UnsavedGuard)
  return (
    <Group justify="flex-end" gap={8} mt={20}>
      {aside && <span style={{ marginRight: 'auto' }}>{aside}</span>}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={() => leave(onCancel)}>
          {cancel ?? t('Cancel')}
        </Button>
        <SubmitButton waitS={waitS} {...submit} />
      </Group>
    </Group>
  )
}
