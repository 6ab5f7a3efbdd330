import { Checkbox, TextInput } from '@mantine/core'
import { login } from '@gridmast/contract/people/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { type SavedAccount, emailHint } from '#lib/session.ts'
import { PasswordField, SubmitButton } from '#ui/FormParts.tsx'
import { SavedAccounts } from './SavedAccounts.tsx'
import classes from './SignInForm.module.css'

const fields = ['user.email', 'user.password'] as const

type Props = {
  onAnswer: (answer: Data<typeof login>, remember: boolean) => void
  onResume: (account: SavedAccount) => void
}

export const SignInForm = ({ onAnswer, onResume }: Props) => {
  const [refusal, setRefusal] = useState('')
  const { form, field, focus, formProps, sending, waitS } = useCallForm(login, {
    initial: { user: { email: emailHint.get(), password: '' }, remember: true },
    onDone: (answer, { remember }) => onAnswer(answer, remember),
    onRefused: ({ message, errors }) => setRefusal(fields.some((path) => path in errors) ? '' : message),
  })
  const choose = (account: SavedAccount) => {
    if (account.token) return onResume(account)
    form.setValues({ user: { email: account.email, password: '' } })
    focus('user.password')
  }
  const other = () => {
    form.setValues({ user: { email: '', password: '' } })
    form.clearErrors()
    focus('user.email')
  }
  return (
    <>
      <SavedAccounts chosen={form.values.user.email} onChoose={choose} onOther={other} />
      <form className={classes.form} aria-label={t('Sign in')} {...formProps}>
        <TextInput
          size="lg"
          label={t('Email')}
          type="email"
          autoComplete="username"
          autoFocus={emailHint.get() === ''}
          {...field('user.email')}
        />
        <div className={classes.password}>
          <PasswordField
            size="lg"
            label={t('Password')}
            autoComplete="current-password"
            autoFocus={emailHint.get() !== ''}
            {...field('user.password')}
          />
          <Link to="/auth/forgot-password" className={`gm-link ${classes.forgot}`}>
            {t('Forgot password?')}
          </Link>
        </div>
        <Checkbox
          label={t('Remember login')}
          key={form.key('remember')}
          {...form.getInputProps('remember', { type: 'checkbox' })}
        />
        {/* The toast announces it and goes; this stays. */}
        {refusal && <p className={classes.refusal}>{translateText(refusal)}</p>}
        <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
          {t('Sign in')}
        </SubmitButton>
      </form>
    </>
  )
}
