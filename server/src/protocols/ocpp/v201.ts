import { type Payload, NotUnderstood } from './frames.ts'
import {
  type ConnectorState,
  type Fact,
  numberOf,
  objectOf,
  type Outcome,
  textOf,
  type Token,
  type TokenInfo,
} from './facts.ts'
import { heard201, order201, reported } from './orders-201.ts'
import { needOutlet, outletOf, plainAnswer, progressReaders, readerOf, valuesOf } from './shared.ts'

const states = new Map<string, ConnectorState>(
  Object.entries({
    Available: 'available',
    Occupied: 'occupied',
    Reserved: 'reserved',
    Unavailable: 'unavailable',
    Faulted: 'faulted',
  }),
)
const chargingStates = new Map<string, ConnectorState>(
  Object.entries({
    Charging: 'charging',
    EVConnected: 'preparing',
    SuspendedEV: 'suspended-ev',
    SuspendedEVSE: 'suspended-evse',
    Idle: 'occupied',
  }),
)
const phases = new Map<string, 'started' | 'updated' | 'ended'>([
  ['Started', 'started'],
  ['Updated', 'updated'],
  ['Ended', 'ended'],
])

const tokenOf = (value: unknown): Token | null => {
  const { idToken, type } = objectOf(value)
  return textOf(idToken) === null ? null : { id: textOf(idToken) ?? '', type: textOf(type) }
}

const unitOf = (sample: Payload) => {
  const { unit, multiplier } = objectOf(sample['unitOfMeasure'])
  return { unit: textOf(unit), multiplier: numberOf(multiplier) ?? 0 }
}

const readEvent = (p: Payload): Fact => {
  const info = objectOf(p['transactionInfo'])
  const evse = objectOf(p['evse'])
  const transactionId = textOf(info['transactionId'])
  const phase = phases.get(textOf(p['eventType']) ?? '')
  if (transactionId === null || phase === undefined)
    throw new NotUnderstood('missing', 'eventType or transactionId is missing')
  return {
    kind: 'event',
    phase,
    transactionId,
    at: textOf(p['timestamp']),
    sequence: Math.round(numberOf(p['seqNo']) ?? 0),
    trigger: textOf(p['triggerReason']) ?? '',
    chargingState: chargingStates.get(textOf(info['chargingState']) ?? '') ?? null,
    reason: textOf(info['stoppedReason']),
    remoteStartNo: numberOf(info['remoteStartId']),
    isOffline: p['offline'] === true,
    evse: outletOf(evse['id'], 'evse.id'),
    connector: outletOf(evse['connectorId'], 'evse.connectorId'),
    token: tokenOf(p['idToken']),
    values: valuesOf(p['meterValue'], unitOf),
  }
}

const readers: Record<string, (payload: Payload) => Fact> = {
  BootNotification: (p) => {
    const station = objectOf(p['chargingStation'])
    return {
      kind: 'booted',
      vendor: textOf(station['vendorName']) ?? '',
      model: textOf(station['model']) ?? '',
      serialNumber: textOf(station['serialNumber']),
      firmware: textOf(station['firmwareVersion']),
      iccid: textOf(objectOf(station['modem'])['iccid']),
      meterSerialNumber: null,
    }
  },
  Heartbeat: () => ({ kind: 'heartbeat' }),
  StatusNotification: (p) => ({
    kind: 'status',
    evse: needOutlet(p, 'evseId'),
    connector: outletOf(p['connectorId'], 'connectorId'),
    state: states.get(textOf(p['connectorStatus']) ?? '') ?? 'unknown',
    error: null,
    info: null,
    at: textOf(p['timestamp']),
  }),
  Authorize: (p) => ({ kind: 'authorize', token: tokenOf(p['idToken']) ?? { id: '', type: null } }),
  TransactionEvent: readEvent,
  ...progressReaders,
  NotifyReport: (p) => ({
    kind: 'report',
    no: numberOf(p['requestId']),
    isLast: p['tbc'] !== true,
    variables: reported(p['reportData']),
  }),
  MeterValues: (p) => ({
    kind: 'values',
    evse: needOutlet(p, 'evseId'),
    transactionNo: null,
    values: valuesOf(p['meterValue'], unitOf),
  }),
}

/** Only acknowledged. */
const noted = new Set([
  'ClearedChargingLimit',
  'NotifyChargingLimit',
  'NotifyCustomerInformation',
  'NotifyDisplayMessages',
  'NotifyEvent',
  'NotifyMonitoringReport',
  'PublishFirmwareStatusNotification',
  'ReportChargingProfiles',
  'ReservationStatusUpdate',
  'SecurityEventNotification',
  'DataTransfer',
  'SignCertificate',
])

/** Plug and charge (ISO 15118). */
const unsupported = new Set([
  'Get15118EVCertificate',
  'GetCertificateStatus',
  'NotifyEVChargingNeeds',
  'NotifyEVChargingSchedule',
])

const read = readerOf(readers, noted, unsupported)

const statuses = {
  accepted: 'Accepted',
  blocked: 'Blocked',
  expired: 'Expired',
  unknown: 'Unknown',
  concurrent: 'ConcurrentTx',
} as const

const idTokenInfo = ({ status, groupKey, expiresAt }: TokenInfo): Payload => ({
  status: statuses[status],
  ...(groupKey ? { groupIdToken: { idToken: groupKey, type: 'Central' } } : {}),
  ...(expiresAt ? { cacheExpiryDateTime: expiresAt } : {}),
})

const answer = (action: string, outcome: Outcome): Payload => {
  switch (outcome.kind) {
    case 'booted':
    case 'time':
    case 'done':
      return plainAnswer(action, outcome)
    case 'token':
      return { idTokenInfo: idTokenInfo(outcome.info) }
    case 'started':
    case 'stopped':
    case 'event':
      return outcome.info ? { idTokenInfo: idTokenInfo(outcome.info) } : {}
  }
}

export const v201 = { read, answer, order: order201, heard: heard201 }
