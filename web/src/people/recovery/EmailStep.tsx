import { TextInput } from '@mantine/core'
import { resetPassword } from '@gridmast/contract/people/auth.ts'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { emailHint } from '#lib/session.ts'
import { SubmitButton } from '#ui/FormParts.tsx'
import classes from './recovery.module.css'

export const EmailStep = ({ onSent }: { onSent: (email: string, resendInS: number) => void }) => {
  const { form, field, formProps, sending, waitS } = useCallForm(resetPassword, {
    initial: { email: emailHint.get() },
    onDone: ({ resendInS }, { email }) => onSent(email.trim(), resendInS),
  })
  const goOn = () => {
    if (!form.validate().hasErrors) onSent(form.values.email.trim(), 0)
  }
  return (
    <form className={classes.form} aria-label={t('Reset your password')} {...formProps}>
      <TextInput size="lg" label={t('Email')} type="email" autoComplete="username" autoFocus {...field('email')} />
      <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
        {t('Send code')}
      </SubmitButton>
      <button type="button" className={`gm-link ${classes.have}`} onClick={goOn}>
        {t('I have a code already')}
      </button>
    </form>
  )
}
