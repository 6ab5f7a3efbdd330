import { TextInput } from '@mantine/core'
import { loginSecondFactor } from '@gridmast/contract/people/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { SubmitButton } from '#ui/FormParts.tsx'
import classes from './SignInForm.module.css'

type Props = {
  challenge: string
  remember: boolean
  onAnswer: (answer: Data<typeof loginSecondFactor>) => void
}

/** The second step of a sign-in: the app's code, or one of the recovery codes. */
export const SecondFactorForm = ({ challenge, remember, onAnswer }: Props) => {
  const [recovery, setRecovery] = useState(false)
  const { form, field, focus, formProps, sending, waitS } = useCallForm(loginSecondFactor, {
    initial: { challenge, code: '', remember },
    onDone: onAnswer,
    onRefused: () => focus('code'),
  })
  const change = () => {
    setRecovery(!recovery)
    form.setFieldValue('code', '')
    focus('code')
  }
  return (
    <form className={classes.form} aria-label={t('Two-step sign-in')} {...formProps}>
      <TextInput
        size="lg"
        label={recovery ? t('Recovery code') : t('Six-digit code')}
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        maxLength={recovery ? 20 : 6}
        autoFocus
        {...field('code')}
      />
      <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
        {t('Sign in')}
      </SubmitButton>
      <button type="button" className={`gm-link ${classes.change}`} onClick={change}>
        {recovery ? t('Use the code from your app') : t('Use a recovery code')}
      </button>
    </form>
  )
}
