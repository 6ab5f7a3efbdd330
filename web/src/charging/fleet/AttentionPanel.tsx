import type { Attention } from '@gridmast/contract/charging/charge-fleet.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconCircleCheck } from '@tabler/icons-react'
import type { Sentence } from '#i18n/da.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { ConnectorState, type ChargerState } from '#ui/ConnectorState.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { Lines } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { ChargerLink } from './ChargerLink.tsx'
import type { FleetRead } from './FleetNow.tsx'

const stateOfReason = {
  faulted: 'faulted',
  offline: 'offline',
  'never-connected': 'offline',
  'energy-doubted': null,
  'charged-refused': null,
} as const satisfies Record<Attention['reason'], ChargerState | null>

const sessionWords: Partial<Record<Attention['reason'], Sentence>> = {
  'energy-doubted': 'Energy to confirm',
  'charged-refused': 'Charged although refused',
}

const Reason = ({ reason }: { reason: Attention['reason'] }) => {
  const [state, words] = [stateOfReason[reason], sessionWords[reason]]
  if (state !== null) return <ConnectorState state={state} />
  return <Tag kind={reason === 'charged-refused' ? 'down' : 'warn'}>{words && t(words)}</Tag>
}

const detailText = ({ reason, connectorId, detail, since }: Attention): string => {
  const time = since === null ? null : formatDateTime(Date.parse(since))
  if (reason === 'never-connected') return t('Never connected.')
  if (reason === 'offline') return time === null ? t('Offline') : t('Offline since {{time}}', { time })
  const what = sessionWords[reason] ? `${digits.kwh(detail)} kWh` : detail
  return [connectorId !== null && t('Connector {{n}}', { n: connectorId }), what, time].filter(Boolean).join(' · ')
}

export const AttentionPanel = ({ read }: { read: FleetRead }) => {
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
          {t('No charger is faulted or offline, and no session needs review.')}
        </Empty>
      )}
      <Lines>
        {list?.map((one) => (
          <li key={`${one.chargerId} ${one.connectorId} ${one.transactionId}`}>
            <span>
              <ChargerLink chargerId={one.chargerId} name={one.name} session={one.transactionId} />
              <small>{detailText(one)}</small>
            </span>
            <Reason reason={one.reason} />
          </li>
        ))}
      </Lines>
    </Panel>
  )
}
