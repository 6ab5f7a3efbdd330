import { Button } from '@mantine/core'
import { revokeSession, sessions } from '@gridmast/contract/people/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useRef } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import classes from './SessionList.module.css'
import { deviceOf } from './user-agent.ts'

type Session = Data<typeof sessions>['sessions'][number]

const useDeviceName =
  () =>
  (userAgent: string | null): string => {
    const { browser, system } = deviceOf(userAgent)
    if (browser && system) return t('{{browser}} on {{system}}', { browser, system })
    return browser ?? system ?? t('Unknown browser')
  }

const useColumns = (nameOf: (userAgent: string | null) => string, onRevoke: (session: Session) => void) => {
  const columns: Columns<Session> = [
    column.cell(
      'device',
      t('Device'),
      ({ userAgent, current, remembered }) => {
        const DeviceIcon = deviceOf(userAgent).phone ? IconDeviceMobile : IconDeviceDesktop
        return (
          <span className={classes.device} title={userAgent ?? undefined}>
            <DeviceIcon size={18} stroke={1.6} aria-hidden />
            {nameOf(userAgent)}
            {current && <Tag kind="brand">{t('This session')}</Tag>}
            {remembered && <Tag kind="outline">{t('Remembered')}</Tag>}
          </span>
        )
      },
      { card: 'lead' },
    ),
    column.text('address', t('Address'), ({ address }) => address, {
      card: 'plain',
      omitWhen: ({ address }) => address === null,
    }),
    column.time('used', t('Last used'), ({ lastUsedAt }) => lastUsedAt),
    column.time('created', t('Signed in since'), ({ createdAt }) => createdAt),
    column.figure(
      'actions',
      t('Actions'),
      (session) =>
        session.current || (
          <Button
            variant="subtle"
            size="xs"
            aria-label={t('Sign out {{device}}', { device: nameOf(session.userAgent) })}
            onClick={() => onRevoke(session)}
          >
            {t('Sign out')}
          </Button>
        ),
      { card: 'corner' },
    ),
  ]
  return columns
}

/** Where the person is signed in; any other place can be signed out from here. */
export const SessionList = () => {
  const nameOf = useDeviceName()
  const read = useCall(sessions, {})
  const list = useRef<HTMLElement>(null)
  const [revoke, revokeDialog] = useConfirm({
    call: revokeSession,
    sent: ({ _id }: Session) => ({ params: { sessionId: _id } }),
    title: t('Sign out this session?'),
    text: ({ userAgent }) => t('{{device}} must sign in again to continue.', { device: nameOf(userAgent) }),
    confirm: t('Sign out'),
    danger: true,
    onDone: () => list.current?.focus(),
  })
  const columns = useColumns(nameOf, revoke)
  return (
    <>
      <ListPanel
        ref={list}
        label={t('Sessions')}
        query={read}
        failed={t('Your sessions could not be loaded.')}
        columns={columns}
        rows={read.data?.sessions.toSorted((a, b) => Number(b.current) - Number(a.current)) ?? []}
        rowKey={({ _id }) => _id}
      />
      {revokeDialog}
    </>
  )
}
