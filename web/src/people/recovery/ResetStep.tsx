import { TextInput } from '@mantine/core'
import { resendOtp, resetWithOtp } from '@gridmast/contract/people/auth.ts'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { minutesAndSeconds, useSecondsUntil } from '#lib/clock.ts'
import { useDo } from '#lib/query.ts'
import { PasswordField, SubmitButton } from '#ui/FormParts.tsx'
import classes from './recovery.module.css'

type Props = {
  email: string
  /** When a code may be sent again. */
  resendAtMs: number
  onResent: (resendInS: number) => void
  onDone: () => void
}

export const ResetStep = ({ email, resendAtMs, onResent, onDone }: Props) => {
  const { field, formProps, sending, waitS } = useCallForm(resetWithOtp, {
    initial: { email, otp: '', newPassword: '', confirmNewPassword: '' },
    onDone,
  })
  return (
    <form className={classes.form} aria-label={t('Choose a new password')} {...formProps}>
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

/** Ticks alone, so that what is being typed is not drawn anew each second. */
const Resend = ({ email, resendAtMs, onResent }: Omit<Props, 'onDone'>) => {
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
    <p className={classes.resend}>
      {t('No code yet?')}{' '}
      <button type="button" className="gm-link" disabled={seconds > 0 || resending.isPending} onClick={resend}>
        {t('Resend code')}
      </button>
      {seconds > 0 && (
        <span>
          {' '}
          <span role="timer" aria-label={t('Until a code can be sent again')} className="gm-num">
            {minutesAndSeconds(seconds)}
          </span>
        </span>
      )}
    </p>
  )
}
