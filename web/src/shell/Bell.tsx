import { ActionIcon } from '@mantine/core'
import { notifications } from '@gridmast/contract/notifications/triggered.ts'
import { today } from '@gridmast/contract/time.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLiveAlerts, useLiveResume } from '#lib/live.ts'
import { part } from '#lib/part.tsx'
import { useCall } from '#lib/query.ts'
import { deviceStorage } from '#lib/store.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { Empty, Waiting } from '#ui/Loaded.tsx'
import { Popover } from '#ui/Popover.tsx'
import classes from './TopBar.module.css'
import { useCloseOnLeave } from './current-screen.ts'

const NotificationList = part(async () => (await import('#delivery/alerts/NotificationList.tsx')).NotificationList)

const highestCount = 99

const useSeen = () => {
  const key = `GM_BELL_SEEN ${useUser()._id}`
  const [seenAt, setSeenAt] = useState(() => deviceStorage.read(key) ?? '')
  const see = (at: string) => {
    deviceStorage.write(key, at)
    setSeenAt(at)
  }
  return { seenAt, see }
}

/** Triggered alerts of today that are not muted. */
const useNotifications = () => {
  const date = today(useNow(60_000))
  const query = useCall(notifications, { sent: { query: { date } }, enabled: useCan('alert.read') })
  useLiveAlerts(() => void query.refetch())
  useLiveResume(() => void query.refetch())
  return query
}

type Notifications = Data<typeof notifications>

const timesOf = ({ latestData, budgets }: Notifications) =>
  [...latestData, ...budgets].map(({ triggerTime }) => triggerTime)

/** Only the newest are listed: when all of them are new, there may be more. */
const unseen = (answer: Notifications, seenAt: string): number => {
  const times = timesOf(answer)
  const newer = times.filter((at) => at > seenAt).length
  return newer === times.length ? answer.totalCount : newer
}

export const Bell = () => {
  const list = useRef<HTMLDivElement>(null)
  const { data, error } = useNotifications()
  const { seenAt, see } = useSeen()
  const count = data ? unseen(data, seenAt) : 0
  const seeAll = () => {
    const newest = data && timesOf(data).toSorted().at(-1)
    if (newest && newest > seenAt) see(newest)
  }
  const close = () => list.current?.hidePopover()
  useCloseOnLeave(close)
  const news = count > 0 && t('Notifications: {{count}} new', { count })
  return (
    <>
      <span className="gm-hidden" aria-live="polite">
        {news}
      </span>
      <Popover
        ref={list}
        label={t('Notifications')}
        className={classes.notifications}
        onChange={(opened) => !opened && seeAll()}
        target={
          <ActionIcon size={32} className={classes.bell ?? ''} aria-label={news || t('Notifications')}>
            <IconBell size={17} stroke={1.6} />
            {count > 0 && (
              <span className={classes.count} aria-hidden>
                {count > highestCount ? `${highestCount}+` : count}
              </span>
            )}
          </ActionIcon>
        }
      >
        {data && data.totalCount > 0 && (
          <Suspense fallback={<Waiting height={36} />}>
            <NotificationList found={data} onOpen={close} />
          </Suspense>
        )}
        {!data && (error ? <Empty title={t('The alerts could not be loaded.')} /> : <Waiting height={36} />)}
        {data?.totalCount === 0 && (
          <Empty icon={<IconBellOff size={20} stroke={1.6} aria-hidden />} title={t(m.noNotifications)} />
        )}
      </Popover>
    </>
  )
}
