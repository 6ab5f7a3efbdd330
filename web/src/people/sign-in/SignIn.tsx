import { SubmitButton } from '#ui/FormParts.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { Checkbox, TextInput } from '@mantine/core'
import { login, loginLink, loginSecondFactor } from '@gridmast/contract/people/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t, translateText } from '#lib/i18n.ts'
import { consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { type SavedAccount, emailHint, isSaved, startSession } from '#lib/session.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { useSwitchAccount } from './saved-account.tsx'
import { SavedAccounts } from './SavedAccounts.tsx'
import classes from './sign-in.module.css'
import { Note, TextButton } from '#ui/Layout.tsx'

/** Between password and session: a second factor is required. */
type Challenge = { challenge: string; remember: boolean }

const SignIn = () => {
  const navigate = useNavigate()
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [linkRefusal, setLinkRefusal] = useState('')
  const linkLogin = useDo(loginLink)

  const onAnswer = ({ token, user, challenge, redirect }: Data<typeof login>, remember: boolean) => {
    if (challenge !== undefined) return setChallenge({ challenge, remember })
    if (redirect) return location.assign(redirect)
    if (!user || token === null) return
    startSession(token, user, remember)
    void navigate({ to: user.customerId.trueGreen.enabled ? '/' : '/cfmdashboard' })
  }
  const followLink = useEffectEvent(() => {
    const id = consumeLink('login')
    if (id === null) return
    linkLogin.mutate(
      { body: { id } },
      {
        // The account of a link is saved only on a device that has saved it before.
        onSuccess: (answer) => onAnswer(answer, answer.user !== null && isSaved(answer.user._id)),
        onError: ({ message }) => setLinkRefusal(message),
      },
    )
  })
  useEffect(() => followLink(), [])

  if (challenge)
    return (
      <AuthFrame
        title={t('Two-step sign-in')}
        lead={t(m.secondFactorAsked)}
        under={
          <TextButton className="gm-link" onClick={() => setChallenge(null)}>
            {t('Back to sign in')}
          </TextButton>
        }
      >
        <SecondFactorForm {...challenge} onAnswer={(answer) => onAnswer(answer, challenge.remember)} />
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Sign in')}
      lead={
        linkLogin.isPending
          ? t('Signing you in with your link …')
          : t('Flexibility and grid balancing for your company.')
      }
      under={
        <>
          {t('No account yet?')}{' '}
          <Link to="/auth/request-account" className="gm-link">
            {t('Request an account')}
          </Link>
        </>
      }
    >
      {linkRefusal && (
        <ErrorBanner title={translateText(linkRefusal)}>
          {t('Or sign in with your password.')}{' '}
          <Link to="/auth/forgot-password" className="gm-link">
            {t('Get a code by email')}
          </Link>
        </ErrorBanner>
      )}
      <PasswordForm onAnswer={onAnswer} />
    </AuthFrame>
  )
}

const fields = ['user.email', 'user.password'] as const

const PasswordForm = ({ onAnswer }: { onAnswer: (answer: Data<typeof login>, remember: boolean) => void }) => {
  const switchAccount = useSwitchAccount()
  const [refusal, setRefusal] = useState('')
  const { form, field, focus, formProps, sending, waitS } = useCallForm(login, {
    initial: { user: { email: emailHint.get(), password: '' }, remember: true },
    onDone: (answer, { remember }) => onAnswer(answer, remember),
    onRefused: ({ message, errors }) => setRefusal(fields.some((path) => path in errors) ? '' : message),
  })
  const chooseAccount = (account: SavedAccount) => {
    if (account.token) return switchAccount(account)
    form.setValues({ user: { email: account.email, password: '' } })
    focus('user.password')
  }
  const chooseOther = () => {
    form.setValues({ user: { email: '', password: '' } })
    form.clearErrors()
    focus('user.email')
  }
  return (
    <>
      <SavedAccounts chosen={form.values.user.email} onChoose={chooseAccount} onOther={chooseOther} />
      <form aria-label={t('Sign in')} {...formProps}>
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
        {/* The toast closes after 2100 ms; this text stays. */}
        {refusal && (
          <Note plate="down-tint" ink="down" style={{ padding: '8px 10px' }}>
            {translateText(refusal)}
          </Note>
        )}
        <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
          {t('Sign in')}
        </SubmitButton>
      </form>
    </>
  )
}

type SecondFactorProps = Challenge & { onAnswer: (answer: Data<typeof loginSecondFactor>) => void }

/** The code of the app, or a recovery code. */
const SecondFactorForm = ({ challenge, remember, onAnswer }: SecondFactorProps) => {
  const [isRecovery, setIsRecovery] = useState(false)
  const { form, field, focus, formProps, sending, waitS } = useCallForm(loginSecondFactor, {
    initial: { challenge, code: '', remember },
    onDone: onAnswer,
    onRefused: () => focus('code'),
  })
  const changeKind = () => {
    setIsRecovery(!isRecovery)
    form.setFieldValue('code', '')
    focus('code')
  }
  return (
    <form aria-label={t('Two-step sign-in')} {...formProps}>
      <TextInput
        size="lg"
        label={isRecovery ? t('Recovery code') : t('Six-digit code')}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        maxLength={isRecovery ? 20 : 6}
        autoFocus
        {...field('code')}
      />
      <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
        {t('Sign in')}
      </SubmitButton>
      <TextButton className={`gm-link ${classes.start}`} onClick={changeKind}>
        {isRecovery ? t('Use the code from your app') : t('Use a recovery code')}
      </TextButton>
    </form>
  )
}

export default SignIn
