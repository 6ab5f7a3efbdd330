import { Button } from '@mantine/core'
import { confirmAddress } from '@gridmast/contract/people/email-subscriptions.ts'
import { m } from '@gridmast/contract/messages.ts'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { AuthFrame } from '#people/sign-in/AuthFrame.tsx'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { Stack } from '#ui/Layout.tsx'

/** Where the link of a confirmation mail leads, without a session; a press, because mail filters open links. */
const ConfirmAddress = () => {
  const [id] = useState(() => consumeLink('confirm-address'))
  const confirming = useDo(confirmAddress)
  if (confirming.isSuccess)
    return (
      <AuthFrame
        title={t('Email address confirmed')}
        lead={t('Messages from the company are sent to you from now on.')}
      >
        {null}
      </AuthFrame>
    )
  const refused = id === null ? m.undoExpired : confirming.error?.message
  return (
    <AuthFrame
      title={t('Confirm your email address')}
      lead={t('A company that uses Gridmast wants to send messages to your address.')}
    >
      <Stack gap={16}>
        {refused !== undefined && <ErrorBanner title={translateText(refused)} />}
        <Button
          size="lg"
          fullWidth
          disabled={id === null}
          loading={confirming.isPending}
          onClick={() => id !== null && confirming.mutate({ body: { id } })}
        >
          {t('Confirm address')}
        </Button>
      </Stack>
    </AuthFrame>
  )
}

export default ConfirmAddress
