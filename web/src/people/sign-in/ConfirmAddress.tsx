import { confirmAddress } from '@gridmast/contract/people/email-subscriptions.ts'
import { t } from '#lib/i18n.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { MailLinkButton, useMailLink } from './mail-link.tsx'

const ConfirmAddress = () => {
  const link = useMailLink('confirm-address', confirmAddress)
  if (link.isDone)
    return (
      <AuthFrame
        title={t('Email address confirmed')}
        lead={t('Messages from the company are sent to you from now on.')}
      >
        {null}
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Confirm your email address')}
      lead={t('A company that uses Gridmast wants to send messages to your address.')}
    >
      <MailLinkButton {...link}>{t('Confirm address')}</MailLinkButton>
    </AuthFrame>
  )
}

export default ConfirmAddress
