import { IconBellOff } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'

/** Faults of equipment and triggered alerts; neither is recorded yet. */
export const FaultsCard = () => {
  const { t } = useTranslation()
  return (
    <Panel title={t('Faults and alerts')} label={t('Faults and alerts')}>
      <Empty icon={<IconBellOff size={20} stroke={1.6} aria-hidden />} title={t('No faults or alerts recorded')}>
        {t('Faults of your equipment and triggered alerts will be listed here.')}
      </Empty>
    </Panel>
  )
}
