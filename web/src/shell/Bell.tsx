import { ActionIcon, Popover } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { Empty } from '#ui/Empty.tsx'

export const Bell = () => {
  const { t } = useTranslation()
  return (
    <Popover position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size={32} aria-label={t('Notifications')}>
          <IconBell size={17} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Notifications')}>
        <Empty icon={<IconBellOff size={20} stroke={1.6} aria-hidden />} title={t(m.noNotifications)} />
      </Popover.Dropdown>
    </Popover>
  )
}
