import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { undoEmail } from '@gridmast/contract/people/profile.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { AuthFrame } from '#people/sign-in/AuthFrame.tsx'
import { ErrorBanner } from '#ui/Loaded.tsx'
import classes from './recovery.module.css'

/** The way back after somebody changed the email of an account; a press, so that nothing happens by merely opening the link. */
const UndoEmail = () => {
  const [id] = useState(() => consumeLink('undo-email'))
  const undoing = useDo(undoEmail)
  const signIn = (
    <Link to="/auth/login" className="gm-link">
      {t('Back to sign in')}
    </Link>
  )
  if (undoing.isSuccess)
    return (
      <AuthFrame title={t('Your email is restored')} lead={translateText(m.emailUndone)} under={signIn}>
        <Button component={Link} to="/auth/forgot-password" size="lg" fullWidth>
          {t('Choose a new password')}
        </Button>
      </AuthFrame>
    )
  const refused = id === null ? m.undoExpired : undoing.error?.message
  return (
    <AuthFrame
      title={t('Did you not change your email?')}
      lead={t('We restore your email, sign everyone out and revoke your API keys. Then you choose a new password.')}
      under={signIn}
    >
      <div className={classes.form}>
        {refused !== undefined && <ErrorBanner title={translateText(refused)} />}
        <Button
          size="lg"
          fullWidth
          disabled={id === null}
          loading={undoing.isPending}
          onClick={() => id !== null && undoing.mutate({ body: { id } })}
        >
          {t('Bring my email back')}
        </Button>
      </div>
    </AuthFrame>
  )
}

export default UndoEmail
