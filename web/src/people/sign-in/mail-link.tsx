import { Button } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import type { confirmAddress, unsubscribe } from '@gridmast/contract/people/email-subscriptions.ts'
import type { undoEmail } from '@gridmast/contract/people/profile.ts'
import { type ReactNode, useState } from 'react'
import { translateText } from '#lib/i18n.ts'
import { type LinkKind, consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'

/** A link of a mail, which opens without a session. */
export const useMailLink = (kind: LinkKind, call: typeof confirmAddress | typeof unsubscribe | typeof undoEmail) => {
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
export const MailLinkButton = ({ id, sending, refused, send, children }: Props) => (
  <>
    {refused !== undefined && <ErrorBanner title={translateText(refused)} />}
    <Button size="lg" fullWidth disabled={id === null} loading={sending} onClick={send}>
      {children}
    </Button>
  </>
)
