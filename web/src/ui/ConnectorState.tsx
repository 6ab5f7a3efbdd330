import type { connectorStates } from '@gridmast/contract/charging/ev-charging.ts'
import {
  IconAlertTriangle,
  IconBolt,
  IconCalendarTime,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleOff,
  IconPlayerPause,
  IconPlug,
  IconPlugConnectedX,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { Tag, type TagKind } from './Tag.tsx'

export type ShownState = (typeof connectorStates)[number] | 'offline'

const stateLook: Record<ShownState, { words: Sentence; kind: TagKind; Icon: TablerIcon }> = {
  charging: { words: 'Charging', kind: 'brand', Icon: IconBolt },
  'suspended-ev': { words: 'Paused by the car', kind: 'plain', Icon: IconPlayerPause },
  'suspended-evse': { words: 'Paused by the charger', kind: 'plain', Icon: IconPlayerPause },
  preparing: { words: 'Preparing', kind: 'warn', Icon: IconPlug },
  finishing: { words: 'Finishing', kind: 'plain', Icon: IconPlug },
  occupied: { words: 'Occupied', kind: 'warn', Icon: IconPlug },
  reserved: { words: 'Reserved', kind: 'plain', Icon: IconCalendarTime },
  available: { words: 'Available', kind: 'up', Icon: IconCircleCheck },
  faulted: { words: 'Faulted', kind: 'down', Icon: IconAlertTriangle },
  unavailable: { words: 'Out of service', kind: 'plain', Icon: IconCircleOff },
  unknown: { words: 'Unknown', kind: 'plain', Icon: IconCircleDashed },
  offline: { words: 'Offline', kind: 'outline', Icon: IconPlugConnectedX },
}

/** The most important state of several connectors is first. */
const tellingOrder: readonly ShownState[] = [
  ...(['faulted', 'charging', 'suspended-ev', 'suspended-evse', 'preparing', 'finishing'] as const),
  ...(['occupied', 'reserved', 'available', 'unavailable', 'unknown'] as const),
]

type Stated = { meta: { isActive: boolean }; connectors: readonly { state: ShownState }[] }

/** Connector states of a disconnected charger are unknown. */
export const stateOf = ({ meta, connectors }: Stated): ShownState =>
  meta.isActive
    ? (tellingOrder.find((state) => connectors.some((connector) => connector.state === state)) ?? 'unknown')
    : 'offline'

/** Most important first. */
export const shownStates: readonly ShownState[] = [...tellingOrder, 'offline']

export const ConnectorState = ({ state }: { state: ShownState }) => {
  const { words, kind, Icon } = stateLook[state]
  return (
    <Tag kind={kind} icon={<Icon size={12} stroke={2} aria-hidden />}>
      {t(words)}
    </Tag>
  )
}
