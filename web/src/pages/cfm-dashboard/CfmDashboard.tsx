import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'

const CfmDashboard = () => {
  const { t } = useTranslation()
  const { customerId } = useUser()
  return (
    <main>
      <Panel
        title={customerId.name}
        note={t('Charge Fleet Management')}
        label={t('Charge Fleet Management')}
        style={{ minHeight: 320 }}
      >
        <Empty icon={<IconPlugConnectedX size={20} stroke={1.6} aria-hidden />} title={t('Coming soon')}>
          {t('Your chargers can connect already, and their sessions are kept. They will be shown here.')}
        </Empty>
      </Panel>
    </main>
  )
}

export default CfmDashboard
