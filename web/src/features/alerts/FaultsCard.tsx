import { Skeleton } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { ErrorBanner } from '#ui/Banner.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'
import { NotificationList } from './NotificationList.tsx'
import { useNotifications } from './notifications.ts'

/** Alerts of today on home. */
export const FaultsCard = () => {
  const { t, say } = useTranslation()
  const mayRead = useCan('alert.read')
  const read = useNotifications()
  if (!mayRead) return null
  const found = read.data
  return (
    <Panel title={t('Faults and alerts')} label={t('Faults and alerts')}>
      {read.error && (
        <ErrorBanner
          title={t('The alerts could not be loaded.')}
          onRetry={() => void read.refetch()}
          retrying={read.isFetching}
        >
          {say(read.error.message)}
        </ErrorBanner>
      )}
      {read.isPending && <Skeleton height={36} />}
      {found && found.totalCount > 0 && <NotificationList found={found} />}
      {found?.totalCount === 0 && (
        <Empty icon={<IconBellOff size={20} stroke={1.6} aria-hidden />} title={t('No alerts today')}>
          {t('Triggered alerts are listed here.')}
        </Empty>
      )}
    </Panel>
  )
}
