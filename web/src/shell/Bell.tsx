import { ActionIcon, Popover, Skeleton } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import { useState } from 'react'
import { NotificationList } from '#features/alerts/NotificationList.tsx'
import { useNotifications } from '#features/alerts/notifications.ts'
import { useTranslation } from '#lib/i18n.ts'
import { Empty } from '#ui/Empty.tsx'
import classes from './Bell.module.css'

const mostShown = 99

export const Bell = () => {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const { data: found, error } = useNotifications()
  const count = found?.totalCount ?? 0
  return (
    <Popover position="bottom-end" width={300} trapFocus returnFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <ActionIcon
          size={32}
          className={classes.bell ?? ''}
          aria-label={count > 0 ? t('Notifications: {{count}} today', { count }) : t('Notifications')}
          onClick={() => setOpened(!opened)}
        >
          <IconBell size={17} stroke={1.6} />
          {count > 0 && (
            <span className={classes.count} aria-hidden>
              {count > mostShown ? `${mostShown}+` : count}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Notifications')} className={classes.list ?? ''}>
        {found && count > 0 && <NotificationList found={found} onOpen={() => setOpened(false)} />}
        {!found && (error ? <Empty title={t('The alerts could not be loaded.')} /> : <Skeleton height={36} />)}
        {found && count === 0 && (
          <Empty icon={<IconBellOff size={20} stroke={1.6} aria-hidden />} title={t(m.noNotifications)} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
