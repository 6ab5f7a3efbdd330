import type { Attention } from '@gridmast/contract/charge-fleet.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from '#lib/i18n.ts'
import { ConnectorState, type ShownState } from '#ui/ConnectorState.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'
import { ChargerLink } from './ChargerLink.tsx'
import classes from './charge-fleet.module.css'
import type { FleetRead } from './fleet-read.ts'

const stateOfReason: Record<Attention['reason'], ShownState> = {
  faulted: 'faulted',
  offline: 'offline',
  'never-connected': 'offline',
}

const useWords = () => {
  const { t } = useTranslation()
  return ({ reason, connectorId, detail, since }: Attention): string => {
    const time = since === null ? null : formatDateTime(Date.parse(since))
    if (reason === 'never-connected') return t('It has never connected.')
    if (reason === 'offline') return time === null ? t('Offline') : t('Offline since {{time}}', { time })
    return [connectorId !== null && t('Connector {{n}}', { n: connectorId }), detail, time].filter(Boolean).join(' · ')
  }
}

/** Chargers that need somebody, and why. */
export const AttentionPanel = ({ read }: { read: FleetRead }) => {
  const { t } = useTranslation()
  const words = useWords()
  const list = read.data?.attention
  return (
    <Panel
      title={t('Needs attention')}
      note={list && <span className="gm-num">{list.length}</span>}
      label={t('Needs attention')}
      style={{ minHeight: 200 }}
    >
      {list?.length === 0 && (
        <Empty icon={<IconCircleCheck size={20} stroke={1.6} aria-hidden />} title={t('All is well')}>
          {t('No charger is faulted or offline.')}
        </Empty>
      )}
      <ul className={classes.attention}>
        {list?.map((one) => (
          <li key={`${one.chargerId} ${one.connectorId}`}>
            <span>
              <ChargerLink chargerId={one.chargerId} name={one.name} />
              <small>{words(one)}</small>
            </span>
            <ConnectorState state={stateOfReason[one.reason]} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
