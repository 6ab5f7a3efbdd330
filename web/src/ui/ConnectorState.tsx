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
import { t, translateText } from '#lib/i18n.ts'
import { Tag, type TagKind } from './Tag.tsx'

const words: Record<string, Sentence> = {
  Accepted: 'Accepted',
  Rejected: 'Rejected',
  NotSupported: 'Not supported',
  NotImplemented: 'Not supported',
  Unlocked: 'Unlocked',
  UnlockFailed: 'It could not be unlocked',
  Scheduled: 'Done once its session has ended',
}
const known = new Map(Object.entries(words))

/** The status of OCPP, or the server's message without an answer; an unknown status is shown unchanged. */
export const chargerAnswer = (status: string): string => translateText(known.get(status) ?? status)

export type ChargerState = (typeof connectorStates)[number] | 'offline'

const stateLook: Record<ChargerState, { words: Sentence; kind: TagKind; Icon: TablerIcon }> = {
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
const tellingOrder: readonly ChargerState[] = [
  ...(['faulted', 'charging', 'suspended-ev', 'suspended-evse', 'preparing', 'finishing'] as const),
  ...(['occupied', 'reserved', 'available', 'unavailable', 'unknown'] as const),
]

type Stated = { meta: { isActive: boolean }; connectors: readonly { state: ChargerState }[] }

/** Connector states of a disconnected charger are unknown. */
export const stateOf = ({ meta, connectors }: Stated): ChargerState =>
  meta.isActive
    ? (tellingOrder.find((state) => connectors.some((connector) => connector.state === state)) ?? 'unknown')
    : 'offline'

export const chargerStates: readonly ChargerState[] = [...tellingOrder, 'offline']

export const ConnectorState = ({ state }: { state: ChargerState }) => {
  const { words, kind, Icon } = stateLook[state]
  return (
    <Tag kind={kind} icon={<Icon size={12} stroke={2} aria-hidden />}>
      {t(words)}
    </Tag>
  )
}
