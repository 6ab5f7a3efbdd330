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
            ? t('Your address is no longer emailed this monthly statement.')
            : t('Your address is no longer emailed when this instance is activated.')
        }
        under={<BackToSignIn />}
      >
        {!isStatement && (
          <Button component={Link} to="/emailSubscriptions" variant="default" size="lg" fullWidth>
            {t('Choose who is emailed')}
          </Button>
        )}
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Stop these emails?')}
      lead={
        isStatement
          ? t('Your address will no longer be emailed this monthly statement. Others still are.')
          : t('Your address will no longer be emailed when this instance is activated. Others still are.')
      }
      under={<BackToSignIn />}
    >
      <MailLinkButton {...link}>{t('Stop these emails')}</MailLinkButton>
    </AuthFrame>
  )
}

export default Unsubscribe
