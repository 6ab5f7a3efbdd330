import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { emailHint } from '#lib/session.ts'
import { AuthFrame } from '#people/sign-in/AuthFrame.tsx'
import { EmailStep } from './EmailStep.tsx'
import { ResetStep } from './ResetStep.tsx'

type Sent = { email: string; resendAtMs: number }

/** Two steps: the email, then the code of the mail with the new password. */
const ForgotPassword = () => {
  const navigate = useNavigate()
  const [sent, setSent] = useState<Sent | null>(null)
  const back = (
    <Link to="/auth/login" className="gm-link">
      {t('Back to sign in')}
    </Link>
  )
  if (!sent)
    return (
      <AuthFrame
        title={t('Reset your password')}
        lead={t('We send a one-time code to your email. It is valid for 10 minutes.')}
        under={back}
      >
        <EmailStep onSent={(email, resendInS) => setSent({ email, resendAtMs: currentMs() + resendInS * 1000 })} />
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Choose a new password')}
      lead={t('If {{email}} has an account, a code is on its way to it.', { email: sent.email })}
      under={back}
    >
      <ResetStep
        {...sent}
        onResent={(resendInS) => setSent({ ...sent, resendAtMs: currentMs() + resendInS * 1000 })}
        onDone={() => {
          emailHint.set(sent.email)
          void navigate({ to: '/auth/login' })
        }}
      />
    </AuthFrame>
  )
}

export default ForgotPassword
