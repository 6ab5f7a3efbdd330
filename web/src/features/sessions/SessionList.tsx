import { Button, Skeleton } from '@mantine/core'
import { revokeSession, sessions } from '@gridmast/contract/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { ReadError } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './SessionList.module.css'
import { deviceOf } from './user-agent.ts'

type Session = Data<typeof sessions>['sessions'][number]

const useDeviceName = () => {
  const { t } = useTranslation()
  return (userAgent: string | null): string => {
    const { browser, system } = deviceOf(userAgent)
    if (browser && system) return t('{{browser}} on {{system}}', { browser, system })
    return browser ?? system ?? t('Unknown browser')
  }
}

/** Where the person is signed in; any other place can be signed out from here. */
export const SessionList = () => {
  const { t } = useTranslation()
  const nameOf = useDeviceName()
  const read = useCall(sessions, {})
  const revoking = useDo(revokeSession, { renews: [sessions] })
  const [asked, setAsked] = useState<Session | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const revoke = () => {
    if (!asked) return
    revoking.mutate(
      { params: { sessionId: asked._id } },
      {
        onSuccess: () => list.current?.focus(), // its row goes
        onSettled: () => setAsked(null),
      },
    )
  }
  const all = read.data?.sessions.toSorted((a, b) => Number(b.current) - Number(a.current))
  return (
    <>
      <ReadError read={read} title={t('Your sessions could not be loaded.')} />
      {read.isPending && <Waiting />}
      {all && (
        <ul ref={list} tabIndex={-1} className={classes.sessions} aria-label={t('Sessions')}>
          {all.map((session) => (
            <SessionRow
              key={session._id}
              session={session}
              name={nameOf(session.userAgent)}
              onRevoke={() => setAsked(session)}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        opened={asked !== null}
        title={t('Sign out this session?')}
        confirm={t('Sign out')}
        danger
        sending={revoking.isPending}
        onConfirm={revoke}
        onClose={() => setAsked(null)}
      >
        {t('{{device}} must sign in again to continue.', { device: nameOf(asked?.userAgent ?? null) })}
      </ConfirmDialog>
    </>
  )
}

const Waiting = () => {
  const { t } = useTranslation()
  return (
    <div className={classes.waiting} role="status" aria-label={t('Loading')}>
      <Skeleton height={36} animate={false} />
      <Skeleton height={36} animate={false} />
    </div>
  )
}

const SessionRow = ({ session, name, onRevoke }: { session: Session; name: string; onRevoke: () => void }) => {
  const { t } = useTranslation()
  const { current, userAgent, address, lastUsedAt, createdAt, remembered } = session
  const DeviceIcon = deviceOf(userAgent).phone ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.session}>
      <DeviceIcon size={20} stroke={1.6} aria-hidden />
      <div className={classes.about}>
        <b title={userAgent ?? undefined}>
          {name}
          {current && <Tag kind="brand">{t('This session')}</Tag>}
          {remembered && <Tag kind="outline">{t('Remembered')}</Tag>}
        </b>
        <span className="gm-num">
          {address && <span>{address}</span>}
          <span>{t('Last used {{time}}', { time: formatDateTime(Date.parse(lastUsedAt)) })}</span>
          <span>{t('Signed in {{time}}', { time: formatDateTime(Date.parse(createdAt)) })}</span>
        </span>
      </div>
      {!current && (
        <Button variant="default" size="xs" onClick={onRevoke} aria-label={t('Sign out {{device}}', { device: name })}>
          {t('Sign out')}
        </Button>
      )}
    </li>
  )
}
