import { IconReceiptOff } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'

/** Revenue of the month; there are no settlements to sum yet. */
export const RevenueCard = () => {
  const { t } = useTranslation()
  return (
    <Panel title={t('Revenue')} label={t('Revenue')}>
      <Empty icon={<IconReceiptOff size={20} stroke={1.6} aria-hidden />} title={t('No settlements yet')}>
        {t('Revenue appears here after your first settlement.')}
      </Empty>
    </Panel>
  )
}
