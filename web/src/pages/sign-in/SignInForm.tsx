import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { login } from '@gridmast/contract/auth.ts'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { validateWith } from '#lib/form.ts'
import classes from './SignIn.module.css'
import { SavedAccounts } from './SavedAccounts.tsx'
import type { SavedAccount } from '#lib/session.ts'

export type Credentials = { user: { email: string; password: string }; remember: boolean }

type Props = {
  sending: boolean
  /** Messages of the server for fields of the form. */
  onSubmit: (values: Credentials, refuse: (errors: Record<string, string>) => void) => void
  onResume: (account: SavedAccount) => void
}

const Eye = ({ reveal }: { reveal: boolean }) =>
  reveal ? <IconEyeOff size={17} stroke={1.6} /> : <IconEye size={17} stroke={1.6} />

export const SignInForm = ({ sending, onSubmit, onResume }: Props) => {
  const { t } = useTranslation()
  const form = useForm<Credentials>({
    initialValues: { user: { email: '', password: '' }, remember: true },
    validate: validateWith(login.body, (message) => t(message)),
    validateInputOnBlur: false,
    clearInputErrorOnChange: true,
  })
  const focus = (path: string) => form.getInputNode(path)?.focus()
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors)
    focus(Object.keys(errors)[0] ?? '')
  }
  const choose = (account: SavedAccount) => {
    if (account.token) return onResume(account)
    form.setValues({ user: { email: account.email, password: '' } })
    focus('user.password')
  }
  const other = () => {
    form.reset()
    focus('user.email')
  }
  return (
    <>
      <SavedAccounts chosen={form.values.user.email} onChoose={choose} onOther={other} />
      <form
        noValidate
        className={classes.form}
        aria-label={t('Sign in')}
        onSubmit={form.onSubmit(
          (values) => onSubmit(values, refuse),
          (errors) => focus(['user.email', 'user.password'].find((path) => path in errors) ?? ''),
        )}
      >
        <TextInput
          size="lg"
          label={t('Email')}
          withAsterisk
          type="email"
          autoComplete="username"
          autoFocus
          key={form.key('user.email')}
          {...form.getInputProps('user.email')}
        />
        <PasswordInput
          size="lg"
          label={t('Password')}
          withAsterisk
          autoComplete="current-password"
          visibilityToggleIcon={Eye}
          visibilityToggleButtonProps={{ 'aria-label': t('Show password'), tabIndex: 0 }}
          key={form.key('user.password')}
          {...form.getInputProps('user.password')}
        />
        <Checkbox
          label={t('Remember login')}
          key={form.key('remember')}
          {...form.getInputProps('remember', { type: 'checkbox' })}
        />
        <Button type="submit" size="lg" fullWidth loading={sending}>
          {t('Sign in')}
        </Button>
      </form>
    </>
  )
}
