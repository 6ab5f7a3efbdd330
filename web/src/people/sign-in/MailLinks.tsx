import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { confirmAddress, statementLink, unsubscribe } from '@gridmast/contract/people/email-subscriptions.ts'
import { undoEmail } from '@gridmast/contract/people/profile.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { type LinkKind, consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { AuthFrame, BackToSignIn } from './AuthFrame.tsx'

/** A link of a mail, which opens without a session. */
const useMailLink = (kind: LinkKind, call: typeof confirmAddress | typeof unsubscribe | typeof undoEmail) => {
  const [id] = useState(() => consumeLink(kind))
  const { isSuccess, isPending, error, mutate } = useDo(call)
  return {
    id,
    isDone: isSuccess,
    sending: isPending,
    refused: id === null ? m.undoExpired : error?.message,
    send: () => id !== null && mutate({ body: { id } }),
  }
}

type Props = Omit<ReturnType<typeof useMailLink>, 'isDone'> & { children: ReactNode }

/** The link acts by this button only, because mail filters open links. */
const MailLinkButton = ({ id, sending, refused, send, children }: Props) => (
  <>
    {refused !== undefined && <ErrorBanner title={translateText(refused)} />}
    <Button size="lg" fullWidth disabled={id === null} loading={sending} onClick={send}>
      {children}
    </Button>
  </>
)

export const ConfirmAddress = () => {
  const link = useMailLink('confirm-address', confirmAddress)
  if (link.isDone)
    return (
      <AuthFrame title={t('Email address confirmed')} lead={t('You will now receive messages from the company.')}>
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

export const UndoEmail = () => {
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
      title={t('Restore your email?')}
      lead={t('We restore your email, sign everyone out and revoke your API keys. Then you choose a new password.')}
      under={<BackToSignIn />}
    >
      <MailLinkButton {...link}>{t('Restore my email')}</MailLinkButton>
    </AuthFrame>
  )
}

/** Of an activation mail or a monthly statement. */
export const Unsubscribe = () => {
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
