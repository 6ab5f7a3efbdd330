import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import {
  confirmAddress,
  reportLink,
  statementLink,
  unsubscribe,
} from '@gridmast/contract/people/email-subscriptions.ts'
import { undoEmail } from '@gridmast/contract/people/profile.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { t, translateText } from '#lib/i18n.ts'
import { type LinkKind, consumeLink } from '#lib/one-time-link.ts'
import { ApiError } from '#lib/api.ts'
import { useDo } from '#lib/query.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { Note, Stack } from '#ui/Layout.tsx'
import { AuthFrame, BackToSignIn } from './AuthFrame.tsx'

/** A link of a mail, which opens without a session. */
const useMailLink = (kind: LinkKind, call: typeof confirmAddress | typeof unsubscribe | typeof undoEmail) => {
  const [id] = useState(() => consumeLink(kind))
  const { isSuccess, isPending, error, mutate } = useDo(call)
  return {
    id,
    isDone: isSuccess,
    isEnded: id === null || (error instanceof ApiError && error.status === 401),
    sending: isPending,
    refused: id === null ? m.undoExpired : error?.message,
    send: () => id !== null && mutate({ body: { id } }),
  }
}

type Props = Omit<ReturnType<typeof useMailLink>, 'id' | 'isDone'> & {
  children: ReactNode
  /** What to do when the link has expired or was used, with its button. */
  next: { text: string; button?: ReactNode }
}

/** The link acts by this button only, because mail filters open links. */
const MailLinkButton = ({ isEnded, sending, refused, send, children, next }: Props) => (
  <>
    {refused !== undefined && <ErrorBanner title={translateText(refused)} />}
    {isEnded ? (
      <Stack gap={16}>
        <Note size="body">{next.text}</Note>
        {next.button}
      </Stack>
    ) : (
      <Button size="lg" fullWidth loading={sending} onClick={send}>
        {children}
      </Button>
    )}
  </>
)

const NewPassword = () => (
  <Button component={Link} to="/auth/forgot-password" size="lg" fullWidth>
    {t('Choose a new password')}
  </Button>
)

const ManageRecipients = () => (
  <Button component={Link} to="/emailSubscriptions" variant="default" size="lg" fullWidth>
    {t('Manage recipients')}
  </Button>
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
      <MailLinkButton
        {...link}
        next={{
          text: t(
            'If you have not confirmed it yet, ask the company to turn your emails off and on: that sends a new link.',
          ),
        }}
      >
        {t('Confirm address')}
      </MailLinkButton>
    </AuthFrame>
  )
}

export const UndoEmail = () => {
  const link = useMailLink('undo-email', undoEmail)
  if (link.isDone)
    return (
      <AuthFrame title={t('Your email is restored')} lead={translateText(m.emailUndone)} under={<BackToSignIn />}>
        <NewPassword />
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Restore your email?')}
      lead={t('We restore your email, sign everyone out and revoke your API keys. Then you choose a new password.')}
      under={<BackToSignIn />}
    >
      <MailLinkButton
        {...link}
        next={{
          text: t('If your email is not restored, ask your administrator. If it is, choose a new password.'),
          button: <NewPassword />,
        }}
      >
        {t('Restore my email')}
      </MailLinkButton>
    </AuthFrame>
  )
}

const subscriptions = {
  activation: {
    ask: 'You will receive no more emails about activations of this instance. Other recipients still do.',
    done: 'You receive no more emails about activations of this instance.',
  },
  statement: {
    ask: 'You will no longer receive this monthly statement. Other recipients still do.',
    done: 'You no longer receive this monthly statement.',
  },
  report: {
    ask: 'You will no longer receive this report. Other recipients still do.',
    done: 'You no longer receive this report.',
  },
} satisfies Record<string, Record<'ask' | 'done', Sentence>>

const subscriptionOf = (id: string | null): keyof typeof subscriptions => {
  if (id?.startsWith(statementLink)) return 'statement'
  return id?.startsWith(reportLink) ? 'report' : 'activation'
}

/** Of an activation mail, a monthly statement or a report. */
export const Unsubscribe = () => {
  const link = useMailLink('unsubscribe', unsubscribe)
  const subscription = subscriptionOf(link.id)
  const words = subscriptions[subscription]
  const manage = subscription === 'activation' && <ManageRecipients />
  if (link.isDone)
    return (
      <AuthFrame title={t('The emails have stopped')} lead={t(words.done)} under={<BackToSignIn />}>
        {manage}
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('Stop these emails?')} lead={t(words.ask)} under={<BackToSignIn />}>
      <MailLinkButton
        {...link}
        next={{
          text: t('If emails still arrive, use the link in the newest one, or sign in and remove the recipient.'),
          button: manage,
        }}
      >
        {t('Stop these emails')}
      </MailLinkButton>
    </AuthFrame>
  )
}
