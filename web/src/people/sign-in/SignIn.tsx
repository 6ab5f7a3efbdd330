import { type login, loginLink } from '@gridmast/contract/people/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { isSaved, startSession } from '#lib/session.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { useSwitch } from '#people/account/useSwitch.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SignInForm } from './SignInForm.tsx'

/** Between password and session: the second factor is asked. */
type Challenge = { challenge: string; remember: boolean }

const SignIn = () => {
  const navigate = useNavigate()
  const goOnAs = useSwitch()
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [linkRefused, setLinkRefused] = useState('')
  const following = useDo(loginLink)

  const answered = ({ token, user, challenge: asked, redirect }: Data<typeof login>, remember: boolean) => {
    if (asked !== undefined) return setChallenge({ challenge: asked, remember })
    if (redirect) return location.assign(redirect)
    if (!user || token === null) return
    startSession(token, user, remember)
    void navigate({ to: user.customerId.trueGreen.enabled ? '/' : '/cfmdashboard' })
  }
  const follow = useEffectEvent(() => {
    const id = consumeLink('login')
    if (id === null) return
    following.mutate(
      { body: { id } },
      {
        // A link is kept as an account of this device only where it is one already.
        onSuccess: (answer) => answered(answer, answer.user !== null && isSaved(answer.user._id)),
        onError: ({ message }) => setLinkRefused(message),
      },
    )
  })
  useEffect(() => follow(), [])

  if (challenge)
    return (
      <AuthFrame
        title={t('Two-step sign-in')}
        lead={t(m.secondFactorAsked)}
        under={
          <button type="button" className="gm-link" onClick={() => setChallenge(null)}>
            {t('Back to sign in')}
          </button>
        }
      >
        <SecondFactorForm {...challenge} onAnswer={(answer) => answered(answer, challenge.remember)} />
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Sign in')}
      lead={
        following.isPending
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
      {linkRefused && <ErrorBanner title={translateText(linkRefused)} />}
      <SignInForm onAnswer={answered} onResume={goOnAs} />
    </AuthFrame>
  )
}

export default SignIn
