import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { undoEmail } from '@gridmast/contract/people/profile.ts'
import { Link } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { AuthFrame, BackToSignIn } from './AuthFrame.tsx'
import { MailLinkButton, useMailLink } from './mail-link.tsx'

const UndoEmail = () => {
  const link = useMailLink('undo-email', undoEmail)
  if (link.isDone)
    return (
      <AuthFrame title={t('Your email is restored')} lead={translateText(m.emailUndone)} under={<BackToSignIn />}>
        <Button component={Link} to="/auth/forgot-password" size="lg" fullWidth>
          {t('Choose a new password')}
        </Button>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Did you not change your email?')}
      lead={t('We restore your email, sign everyone out and revoke your API keys. Then you choose a new password.')}
      under={<BackToSignIn />}
    >
      <MailLinkButton {...link}>{t('Bring my email back')}</MailLinkButton>
    </AuthFrame>
  )
}

export default UndoEmail
