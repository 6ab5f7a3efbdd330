import { Button } from '@mantine/core'
import { logout } from '@gridmast/contract/people/auth.ts'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { openWall } from '@gridmast/contract/people/wall.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { send } from '#lib/api.ts'
import { t, translateText } from '#lib/i18n.ts'
import { consumeLink } from '#lib/one-time-link.ts'
import { useDo } from '#lib/query.ts'
import { accountsStore, endAllSessions, tokenStore } from '#lib/session.ts'
import { deviceStorage, useStore } from '#lib/store.ts'
import { Note, Stack } from '#ui/Layout.tsx'
import { ErrorBanner } from '#ui/Loaded.tsx'
import { AuthFrame, BackToSignIn } from './AuthFrame.tsx'

/** Removes the saved accounts from a browser that nobody watches, and answers their tokens, which are to be ended. */
const startWall = (token: string): string[] => {
  const ended = new Set([tokenStore.get(), ...accountsStore.get().map((account) => account.token)])
  endAllSessions()
  deviceStorage.write(storageKeys.token, token)
  tokenStore.set(token)
  return [...ended].flatMap((one) => one ?? [])
}

/** The link acts by its button only: that also lets the browser open the screen in full. */
const OpenWall = () => {
  const [id] = useState(() => consumeLink('wall'))
  const navigate = useNavigate()
  const { mutate, isPending, error } = useDo(openWall, { fields: { includes: () => true } })
  const token = useStore(tokenStore)
  const accounts = useStore(accountsStore)
  const isEnded = id === null || error?.status === 401
  const open = () =>
    mutate(
      { body: { id: id ?? '' } },
      {
        onSuccess: (answer) => {
          document.documentElement.requestFullscreen?.().catch(() => {}) // the screen has a button for it
          for (const ended of startWall(answer.token)) send(logout, {}, undefined, ended).catch(() => {}) // forgotten here in any case
          void navigate({ to: '/wall', replace: true })
        },
      },
    )
  return (
    <AuthFrame
      title={t('Wall screen')}
      lead={t('This device shows live figures of your company, and cannot change anything.')}
      under={<BackToSignIn />}
    >
      {isEnded ? (
        <ErrorBanner title={translateText(m.wallLinkEnded)} />
      ) : (
        <Stack gap={16}>
          {error && <ErrorBanner title={translateText(error.message)} />}
          {(token !== null || accounts.length > 0) && (
            <Note size="body">
              {t('This signs out every account in this browser, because the screen is left alone.')}
            </Note>
          )}
          <Button size="lg" fullWidth loading={isPending} onClick={open}>
            {t('Start the wall screen')}
          </Button>
        </Stack>
      )}
    </AuthFrame>
  )
}

export default OpenWall
