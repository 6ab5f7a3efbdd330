import { ActionIcon, Popover, Skeleton } from '@mantine/core'
import type { notifications } from '@gridmast/contract/notifications/triggered.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useNotifications } from '#delivery/alerts/notifications.ts'
import { t } from '#lib/i18n.ts'
import { deviceStorage } from '#lib/store.ts'
import { useUser } from '#lib/user.tsx'
import { Empty } from '#ui/Loaded.tsx'
import classes from './TopBar.module.css'
import { useCloseOnLeave } from './current-screen.ts'

/** Outside of the first load. */
const NotificationList = lazy(async () => ({
  default: (await import('#delivery/alerts/NotificationList.tsx')).NotificationList,
}))

const mostShown = 99

const useSeen = () => {
  const key = `GM_BELL_SEEN ${useUser()._id}`
  const [seenAt, setSeenAt] = useState(() => deviceStorage.read(key) ?? '')
  const see = (at: string) => {
    deviceStorage.write(key, at)
    setSeenAt(at)
  }
  return { seenAt, see }
}

type Found = Data<typeof notifications>

const timesOf = ({ latestData, budgets }: Found) => [...latestData, ...budgets].map(({ triggerTime }) => triggerTime)

/** Only the newest are listed: when all of them are new, there may be more. */
const unseen = (found: Found, seenAt: string): number => {
  const times = timesOf(found)
  const fresh = times.filter((at) => at > seenAt).length
  return fresh === times.length ? found.totalCount : fresh
}

export const Bell = () => {
  const [opened, setOpened] = useState(false)
  const { data: found, error } = useNotifications()
  const { seenAt, see } = useSeen()
  const count = found ? unseen(found, seenAt) : 0
  const toggle = (open: boolean) => {
    setOpened(open)
    const newest = found && timesOf(found).toSorted().at(-1)
    if (!open && newest && newest > seenAt) see(newest)
  }
  useCloseOnLeave(() => opened && toggle(false))
  return (
    <Popover position="bottom-end" width={300} trapFocus returnFocus opened={opened} onChange={toggle}>
      <Popover.Target>
        <ActionIcon
          size={32}
          className={classes.bell ?? ''}
          aria-label={count > 0 ? t('Notifications: {{count}} new', { count }) : t('Notifications')}
          onClick={() => toggle(!opened)}
        >
          <IconBell size={17} stroke={1.6} />
          {count > 0 && (
            <span className={classes.count} aria-hidden>
              {count > mostShown ? `${mostShown}+` : count}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Notifications')} className={classes.notifications ?? ''}>
        {found && found.totalCount > 0 && (
          <Suspense fallback={<Skeleton height={36} />}>
            <NotificationList found={found} onOpen={() => toggle(false)} />
          </Suspense>
        )}
        {!found && (error ? <Empty title={t('The alerts could not be loaded.')} /> : <Skeleton height={36} />)}
        {found?.totalCount === 0 && (
          <Empty icon={<IconBellOff size={20} stroke={1.6} aria-hidden />} title={t(m.noNotifications)} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
