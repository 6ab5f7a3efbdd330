import { TextInput } from '@mantine/core'
import { confirmEmail } from '@gridmast/contract/people/profile.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Note } from '#ui/Layout.tsx'
import { SubmitButton } from '#ui/FormParts.tsx'
import classes from './profile.module.css'

type Props = { email: string | null; onClose: () => void; onConfirmed: (user: User) => void }

/** A new email is taken once its owner enters the code that was sent there. */
export const ConfirmEmailDialog = ({ email, onClose, onConfirmed }: Props) => (
  <Dialog opened={email !== null} onClose={onClose} title={t('Confirm your new email')}>
    <Note ink="ink2">
      {t('We have sent a code to {{email}}. Your email stays as it is until you enter it.', { email: email ?? '' })}
    </Note>
    <Code onConfirmed={onConfirmed} />
  </Dialog>
)

const Code = ({ onConfirmed }: Pick<Props, 'onConfirmed'>) => {
  const { field, formProps, sending, waitS } = useCallForm(confirmEmail, {
    initial: { code: '' },
    onDone: ({ user }) => onConfirmed(user),
  })
  return (
    <form className={classes.form} aria-label={t('Confirm your new email')} {...formProps}>
      <TextInput
        label={t('One-time code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...field('code')}
      />
      <SubmitButton sending={sending} waitS={waitS}>
        {t('Confirm')}
      </SubmitButton>
    </form>
  )
}
