import { Button } from '@mantine/core'
import { statementLink, unsubscribe } from '@gridmast/contract/people/email-subscriptions.ts'
import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { AuthFrame, BackToSignIn } from './AuthFrame.tsx'
import { MailLinkButton, useMailLink } from './mail-link.tsx'

/** Of an activation mail or a monthly statement. */
const Unsubscribe = () => {
  const link = useMailLink('unsubscribe', unsubscribe)
  const isStatement = link.id?.startsWith(statementLink) ?? false
  if (link.isDone)
    return (
      <AuthFrame
        title={t('The emails have stopped')}
        lead={
          isStatement
            ? t('You no longer receive this monthly statement.')
            : t('You receive no more emails about activations of this instance.')
        }
        under={<BackToSignIn />}
      >
        {!isStatement && (
          <Button component={Link} to="/emailSubscriptions" variant="default" size="lg" fullWidth>
            {t('Manage recipients')}
          </Button>
        )}
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Stop these emails?')}
      lead={
        isStatement
          ? t('You will no longer receive this monthly statement. Other recipients still do.')
          : t('You will receive no more emails about activations of this instance. Other recipients still do.')
      }
      under={<BackToSignIn />}
    >
      <MailLinkButton {...link}>{t('Stop these emails')}</MailLinkButton>
    </AuthFrame>
  )
}

export default Unsubscribe
