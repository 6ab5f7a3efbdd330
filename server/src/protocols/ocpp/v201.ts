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
  listOf,
} from './facts.ts'
import { needOutlet, outletOf, plainAnswer, progressReaders, readerOf, valuesOf } from './shared.ts'
import { type Heard, type ListEntry, type Order, periodsOf, type Variable, type VariableName } from './orders.ts'

const iso = (ms: number) => new Date(ms).toISOString()

const purposes = { default: 'TxDefaultProfile', session: 'TxProfile', station: 'ChargingStationMaxProfile' } as const

const limitPayload = (given: Extract<Order, { kind: 'limit' }>): Payload => ({
  evseId: given.evse,
  chargingProfile: {
    id: given.id,
    stackLevel: given.stackLevel,
    chargingProfileKind: 'Absolute',
    chargingProfilePurpose: purposes[given.purpose],
    ...(given.session?.transactionId ? { transactionId: given.session.transactionId } : {}),
    ...(given.untilMs === null ? {} : { validFrom: iso(given.fromMs), validTo: iso(given.untilMs) }),
    chargingSchedule: [
      {
        id: given.id,
        startSchedule: iso(given.fromMs),
        chargingRateUnit: given.unit,
        ...(given.untilMs === null ? {} : { duration: Math.round((given.untilMs - given.fromMs) / 1000) }),
        chargingSchedulePeriod: periodsOf(given),
      },
    ],
  },
})

const listed = ({ tag, info }: ListEntry): Payload => ({
  idToken: { idToken: tag, type: 'ISO14443' },
  ...(info && {
    idTokenInfo: {
      status: info.isAccepted ? 'Accepted' : 'Blocked',
      ...(info.groupKey ? { groupIdToken: { idToken: info.groupKey, type: 'Central' } } : {}),
      ...(info.expiresAt ? { cacheExpiryDateTime: info.expiresAt } : {}),
    },
  }),
})

/** A component of an outlet is written `Name@1`. */
const nameOf = ({ component, variable }: VariableName): Payload => {
  const [name = '', evse] = component.split('@')
  const [own = '', instance] = variable.split('/')
  return {
    component: { name, ...(evse ? { evse: { id: Number(evse) } } : {}) },
    variable: { name: own, ...(instance ? { instance } : {}) },
  }
}

const readName = (one: Payload): VariableName | null => {
  const [component, variable] = [objectOf(one['component']), objectOf(one['variable'])]
  const [name, own] = [textOf(component['name']), textOf(variable['name'])]
  if (name === null || own === null) return null
  const [evse, instance] = [numberOf(objectOf(component['evse'])['id']), textOf(variable['instance'])]
  return {
    component: evse === null ? name : `${name}@${evse}`,
    variable: instance === null ? own : `${own}/${instance}`,
  }
}

export const reported = (list: unknown): Variable[] =>
  listOf(list).flatMap((one) => {
    const name = readName(one)
    const attributes = listOf(one['variableAttribute'])
    const actual = attributes.find(({ type }) => (type ?? 'Actual') === 'Actual')
    if (!name || !actual) return []
    return [{ ...name, value: textOf(actual['value']), isReadOnly: actual['mutability'] === 'ReadOnly' }]
  })

const evseOf = (evse: number) => (evse > 0 ? { evse: { id: evse } } : {})

/** The diagnostics of 1.6 are a kind of log in 2.0.1, with one status message for all logs. */
const messageOf = (message: string) => (message === 'DiagnosticsStatusNotification' ? 'LogStatusNotification' : message)

export const order201 = (given: Order): [action: string, payload: Payload] => {
  switch (given.kind) {
    case 'start':
      return [
        'RequestStartTransaction',
        { remoteStartId: given.no, evseId: given.evse, idToken: { idToken: given.tag, type: 'Central' } },
      ]
    case 'stop':
      return ['RequestStopTransaction', { transactionId: given.transactionId ?? '' }]
    case 'reset':
      return ['Reset', { type: given.isHard ? 'Immediate' : 'OnIdle' }]
    case 'unlock':
      return ['UnlockConnector', { evseId: given.evse, connectorId: 1 }]
    case 'availability':
      return [
        'ChangeAvailability',
        { operationalStatus: given.isOperative ? 'Operative' : 'Inoperative', ...evseOf(given.evse) },
      ]
    case 'trigger':
      return ['TriggerMessage', { requestedMessage: messageOf(given.message), ...evseOf(given.evse ?? 0) }]
    case 'clear-cache':
      return ['ClearCache', {}]
    case 'firmware':
      return [
        'UpdateFirmware',
        { requestId: given.no, firmware: { location: given.location, retrieveDateTime: given.retrieveAt } },
      ]
    case 'diagnostics':
      return ['GetLog', { requestId: given.no, logType: 'DiagnosticsLog', log: { remoteLocation: given.location } }]
    case 'read-all':
      return ['GetBaseReport', { requestId: given.no, reportBase: 'FullInventory' }]
    case 'read':
      return ['GetVariables', { getVariableData: given.variables.map(nameOf) }]
    case 'write':
      return ['SetVariables', { setVariableData: [{ ...nameOf(given), attributeValue: given.value }] }]
    case 'list-version':
      return ['GetLocalListVersion', {}]
    case 'list':
      return [
        'SendLocalList',
        {
          versionNumber: given.version,
          updateType: given.isFull ? 'Full' : 'Differential',
          // The schema allows no empty list: a full update without members clears it.
          ...(given.entries.length > 0 ? { localAuthorizationList: given.entries.map(listed) } : {}),
        },
      ]
    case 'limit':
      return ['SetChargingProfile', limitPayload(given)]
    case 'clear-limit':
      return ['ClearChargingProfile', { chargingProfileId: given.id }]
    case 'schedule':
      return ['GetCompositeSchedule', { evseId: given.evse, duration: given.durationS, chargingRateUnit: given.unit }]
    case 'session-status':
      return ['GetTransactionStatus', { transactionId: given.transactionId }]
  }
}

export const heard201 = (payload: Payload): Heard => {
  const [set] = listOf(payload['setVariableResult'])
  const periods = listOf(objectOf(payload['schedule'])['chargingSchedulePeriod'])
  const limits = periods.map((one) => numberOf(one['limit'])).filter((one) => one !== null)
  return {
    status: textOf(payload['status']) ?? textOf(set?.['attributeStatus']) ?? 'Accepted',
    variables: listOf(payload['getVariableResult']).flatMap((one) => {
      const name = readName(one)
      if (!name || one['attributeStatus'] !== 'Accepted') return []
      return [{ ...name, value: textOf(one['attributeValue']), isReadOnly: false }]
    }),
    listVersion: numberOf(payload['versionNumber']),
    limit: limits.length > 0 ? Math.min(...limits) : null,
    // Queued messages may include the end of the transaction.
    isOngoing:
      payload['messagesInQueue'] === true
        ? null
        : typeof payload['ongoingIndicator'] === 'boolean'
          ? payload['ongoingIndicator']
          : null,
  }
}

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
