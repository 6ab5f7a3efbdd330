import { ActionIcon, Button } from '@mantine/core'
import { revokeSession, sessions } from '@gridmast/contract/people/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTv, IconLayoutList } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t, withWords } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { deviceName, deviceOf } from './user-agent.ts'
import { Row } from '#ui/Layout.tsx'

type Session = Data<typeof sessions>['sessions'][number]

const nameOf = (session: Session): string =>
  session.wall === null ? deviceName(session) : `${session.wall} · ${deviceName(session)}`

const WallCardsDialog = lateDialog(
  async () => (await withWords(import('./WallDialog.tsx'), 'wall', 'energy')).WallCardsDialog,
  ({ wall }) => wall !== null,
)

const columnsOf = (onRevoke: (session: Session) => void, onCards: (session: Session) => void): Columns<Session> => [
  column.cell(
    'device',
    t('Device'),
    (session) => {
      const { userAgent, current, remembered, wall } = session
      const OwnIcon = deviceOf(userAgent).phone ? IconDeviceMobile : IconDeviceDesktop
      const DeviceIcon = wall === null ? OwnIcon : IconDeviceTv
      return (
        <Row
          as="span"
          inline
          gap={8}
          rowGap={4}
          weight="medium"
          style={{ verticalAlign: 'middle' }}
          title={userAgent ?? undefined}
        >
          <DeviceIcon size={18} stroke={1.6} color="var(--gm-ink2)" style={{ flex: 'none' }} aria-hidden />
          {nameOf(session)}
          {current && <Tag kind="brand">{t('This session')}</Tag>}
          {wall !== null && <Tag kind="outline">{t('Wall screen')}</Tag>}
          {remembered && <Tag kind="outline">{t('Remembered')}</Tag>}
        </Row>
      )
    },
    { card: 'lead', sort: (session) => nameOf(session) },
  ),
  column.text('address', t('Address'), ({ address }) => address, {
    card: 'plain',
    omitWhen: ({ address }) => address === null,
  }),
  column.time('used', t('Last used'), ({ lastUsedAt }) => lastUsedAt, { sort: true }),
  column.time('created', t('Signed in since'), ({ createdAt }) => createdAt, { sort: true }),
  column.figure(
    'actions',
    t('Actions'),
    (session) =>
      session.current || (
        <>
          {session.wall !== null && (
            <ActionIcon
              data-tip={t('Change cards')}
              aria-label={t('Change cards of {{name}}', { name: session.wall })}
              onClick={() => onCards(session)}
            >
              <IconLayoutList size={16} stroke={1.8} />
            </ActionIcon>
          )}
          <Button
            variant="subtle"
            size="xs"
            aria-label={t('Sign out {{device}}', { device: nameOf(session) })}
            onClick={() => onRevoke(session)}
          >
            {t('Sign out')}
          </Button>
        </>
      ),
    { card: 'corner' },
  ),
]

export const SessionList = () => {
  const read = useCall(sessions, {})
  const list = useRef<HTMLElement>(null)
  const [revoke, revokeDialog] = useConfirm({
    call: revokeSession,
    sent: ({ _id }: Session) => ({ params: { sessionId: _id } }),
    title: t('Sign out this session?'),
    text: (session) =>
      session.wall === null
        ? t('{{device}} must sign in again to continue.', { device: deviceName(session) })
        : t('{{name}} shows no more data, and needs a new link to continue.', { name: session.wall }),
    confirm: t('Sign out'),
    danger: true,
    onDone: () => list.current?.focus(),
  })
  const [changed, setChanged] = useState<Session | null>(null)
  const columns = columnsOf(revoke, setChanged)
  return (
    <>
      <ListPanel
        ref={list}
        label={t('Sessions')}
        query={read}
        failed={t('Your sessions could not be loaded.')}
        columns={columns}
        rows={read.data?.sessions.toSorted((a, b) => Number(b.current) - Number(a.current))}
        rowKey={({ _id }) => _id}
      />
      {revokeDialog}
      <WallCardsDialog
        wall={changed && { _id: changed._id, name: changed.wall ?? '', show: changed.wallShow }}
        onClose={() => setChanged(null)}
      />
    </>
  )
}
