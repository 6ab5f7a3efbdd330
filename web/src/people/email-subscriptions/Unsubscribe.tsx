import { Button } from '@mantine/core'
import { statementLink, unsubscribe } from '@gridmast/contract/people/email-subscriptions.ts'
import { m } from '@gridmast/contract/messages.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { AuthFrame } from '#people/sign-in/AuthFrame.tsx'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { Stack } from '#ui/Layout.tsx'

/** Where the link of an activation mail or a monthly statement leads, without a session; a press, so that nothing ends by merely opening the link. */
const Unsubscribe = () => {
  const [id] = useState(() => consumeLink('unsubscribe'))
  const stopping = useDo(unsubscribe)
  const isStatement = id?.startsWith(statementLink) ?? false
  const signIn = (
    <Link to="/auth/login" className="gm-link">
      {t('Back to sign in')}
    </Link>
  )
  if (stopping.isSuccess)
    return (
      <AuthFrame
        title={t('The emails have stopped')}
        lead={
          isStatement
            ? t('Your address is no longer emailed this monthly statement.')
            : t('Your address is no longer emailed when this instance is activated.')
        }
        under={signIn}
      >
        {!isStatement && (
          <Button component={Link} to="/emailSubscriptions" variant="default" size="lg" fullWidth>
            {t('Choose who is emailed')}
          </Button>
        )}
      </AuthFrame>
    )
  const refused = id === null ? m.undoExpired : stopping.error?.message
  return (
    <AuthFrame
      title={t('Stop these emails?')}
      lead={
        isStatement
          ? t('Your address will no longer be emailed this monthly statement. Others still are.')
          : t('Your address will no longer be emailed when this instance is activated. Others still are.')
      }
      under={signIn}
    >
      <Stack gap={16}>
        {refused !== undefined && <ErrorBanner title={translateText(refused)} />}
        <Button
          size="lg"
          fullWidth
          disabled={id === null}
          loading={stopping.isPending}
          onClick={() => id !== null && stopping.mutate({ body: { id } })}
        >
          {t('Stop these emails')}
        </Button>
      </Stack>
    </AuthFrame>
  )
}

export default Unsubscribe
