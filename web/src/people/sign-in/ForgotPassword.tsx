import { SubmitButton } from '#ui/FormParts.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { TextInput } from '@mantine/core'
import { resendOtp, resetPassword, resetWithOtp } from '@gridmast/contract/people/auth.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { currentMs, minutesAndSeconds, useSecondsUntil } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { emailHint } from '#lib/session.ts'
import { AuthFrame, BackToSignIn } from './AuthFrame.tsx'
import classes from './sign-in.module.css'
import { Note, TextButton } from '#ui/Layout.tsx'

type SentCode = { email: string; resendAtMs: number }

/** Two steps: the email, then the code of the mail with the new password. */
const ForgotPassword = () => {
  const navigate = useNavigate()
  const [sentCode, setSentCode] = useState<SentCode | null>(null)
  if (!sentCode)
    return (
      <AuthFrame
        title={t('Reset your password')}
        lead={t('We send a one-time code to your email. It is valid for 10 minutes.')}
        under={<BackToSignIn />}
      >
        <EmailStep onSent={(email, resendInS) => setSentCode({ email, resendAtMs: currentMs() + resendInS * 1000 })} />
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Choose a new password')}
      lead={t('If {{email}} has an account, we have sent a code.', { email: sentCode.email })}
      under={<BackToSignIn />}
    >
      <ResetStep
        {...sentCode}
        onResent={(resendInS) => setSentCode({ ...sentCode, resendAtMs: currentMs() + resendInS * 1000 })}
        onDone={() => {
          emailHint.set(sentCode.email)
          void navigate({ to: '/auth/login' })
        }}
      />
    </AuthFrame>
  )
}

const EmailStep = ({ onSent }: { onSent: (email: string, resendInS: number) => void }) => {
  const { form, field, formProps, validate, sending, waitS } = useCallForm(resetPassword, {
    initial: { email: emailHint.get() },
    onDone: ({ resendInS }, { email }) => onSent(email.trim(), resendInS),
  })
  const skipSending = async () => {
    if ((await validate())?.hasErrors === false) onSent(form.getValues().email.trim(), 0)
  }
  return (
    <form aria-label={t('Reset your password')} {...formProps}>
      <TextInput size="lg" label={t('Email')} type="email" autoComplete="username" autoFocus {...field('email')} />
      <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
        {t('Send code')}
      </SubmitButton>
      <TextButton className={`gm-link ${classes.start}`} onClick={skipSending}>
        {t('I already have a code')}
      </TextButton>
    </form>
  )
}

type ResetProps = SentCode & { onResent: (resendInS: number) => void; onDone: () => void }

const ResetStep = ({ email, resendAtMs, onResent, onDone }: ResetProps) => {
  const { field, formProps, sending, waitS } = useCallForm(resetWithOtp, {
    initial: { email, otp: '', newPassword: '', confirmNewPassword: '' },
    onDone,
  })
  return (
    <form aria-label={t('Choose a new password')} {...formProps}>
      {/* Tells password managers whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <div>
        <TextInput
          size="lg"
          label={t('One-time code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={12}
          {...field('otp')}
        />
        <Resend email={email} resendAtMs={resendAtMs} onResent={onResent} />
      </div>
      <PasswordField
        size="lg"
        label={t('New password')}
        description={t('8 to 40 characters')}
        autoComplete="new-password"
        {...field('newPassword')}
      />
      <PasswordField
        size="lg"
        label={t('Confirm new password')}
        autoComplete="new-password"
        {...field('confirmNewPassword')}
      />
      <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
        {t('Reset password')}
      </SubmitButton>
    </form>
  )
}

/** A component of its own, so that the fields are not rendered each second. */
const Resend = ({ email, resendAtMs, onResent }: Omit<ResetProps, 'onDone'>) => {
  const seconds = useSecondsUntil(resendAtMs)
  const resending = useDo(resendOtp)
  const resend = () =>
    resending.mutate(
      { body: { email } },
      {
        onSuccess: ({ resendInS }) => onResent(resendInS),
        onError: ({ retryAfterS }) => retryAfterS !== null && onResent(retryAfterS),
      },
    )
  return (
    <Note ink="ink2" size="small" className={classes.resend}>
      {t('No code yet?')}{' '}
      <TextButton className="gm-link" disabled={seconds > 0 || resending.isPending} onClick={resend}>
        {t('Resend code')}
      </TextButton>
      {seconds > 0 && (
        <span>
          {' '}
          <span role="timer" aria-label={t('Time until a new code can be sent')} className="gm-num">
            {minutesAndSeconds(seconds)}
          </span>
        </span>
      )}
    </Note>
  )
}

export default ForgotPassword
