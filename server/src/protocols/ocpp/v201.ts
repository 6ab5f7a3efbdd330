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
import {
  lowestLimit,
  needOutlet,
  outletOf,
  scheduleOf,
  validityOf,
  plainAnswer,
  progressReaders,
  readerOf,
  valuesOf,
} from './shared.ts'
import { type OrderAnswer, type ListEntry, type Order, toCallBy, type Variable, type VariableName } from './orders.ts'

const purposes = { default: 'TxDefaultProfile', session: 'TxProfile', station: 'ChargingStationMaxProfile' } as const

const limitPayload = (order: Extract<Order, { kind: 'limit' }>): Payload => ({
  evseId: order.evse,
  chargingProfile: {
    id: order.id,
    stackLevel: order.stackLevel,
    chargingProfileKind: 'Absolute',
    chargingProfilePurpose: purposes[order.purpose],
    ...(order.session?.transactionId ? { transactionId: order.session.transactionId } : {}),
    ...validityOf(order),
    chargingSchedule: [{ id: order.id, ...scheduleOf(order) }],
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
  const [variableName = '', instance] = variable.split('/')
  return {
    component: { name, ...(evse ? { evse: { id: Number(evse) } } : {}) },
    variable: { name: variableName, ...(instance ? { instance } : {}) },
  }
}

const readName = (one: Payload): VariableName | null => {
  const [component, variable] = [objectOf(one['component']), objectOf(one['variable'])]
  const [name, variableName] = [textOf(component['name']), textOf(variable['name'])]
  if (name === null || variableName === null) return null
  const [evse, instance] = [numberOf(objectOf(component['evse'])['id']), textOf(variable['instance'])]
  return {
    component: evse === null ? name : `${name}@${evse}`,
    variable: instance === null ? variableName : `${variableName}/${instance}`,
  }
}

const reported = (list: unknown): Variable[] =>
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

const toCall = toCallBy({
  start: ({ no, evse, tag }) => [
    'RequestStartTransaction',
    { remoteStartId: no, evseId: evse, idToken: { idToken: tag, type: 'Central' } },
  ],
  stop: ({ transactionId }) => ['RequestStopTransaction', { transactionId: transactionId ?? '' }],
  reset: ({ isHard }) => ['Reset', { type: isHard ? 'Immediate' : 'OnIdle' }],
  unlock: ({ evse }) => ['UnlockConnector', { evseId: evse, connectorId: 1 }],
  availability: ({ evse, isOperative }) => [
    'ChangeAvailability',
    { operationalStatus: isOperative ? 'Operative' : 'Inoperative', ...evseOf(evse) },
  ],
  trigger: ({ message, evse }) => ['TriggerMessage', { requestedMessage: messageOf(message), ...evseOf(evse ?? 0) }],
  'clear-cache': () => ['ClearCache', {}],
  firmware: ({ no, location, retrieveAt }) => [
    'UpdateFirmware',
    { requestId: no, firmware: { location, retrieveDateTime: retrieveAt } },
  ],
  diagnostics: ({ no, location }) => [
    'GetLog',
    { requestId: no, logType: 'DiagnosticsLog', log: { remoteLocation: location } },
  ],
  'read-all': ({ no }) => ['GetBaseReport', { requestId: no, reportBase: 'FullInventory' }],
  read: ({ variables }) => ['GetVariables', { getVariableData: variables.map(nameOf) }],
  write: (order) => ['SetVariables', { setVariableData: [{ ...nameOf(order), attributeValue: order.value }] }],
  'list-version': () => ['GetLocalListVersion', {}],
  list: ({ version, isFull, entries }) => [
    'SendLocalList',
    {
      versionNumber: version,
      updateType: isFull ? 'Full' : 'Differential',
      // The schema allows no empty list: a full update without members clears it.
      ...(entries.length > 0 ? { localAuthorizationList: entries.map(listed) } : {}),
    },
  ],
  limit: (order) => ['SetChargingProfile', limitPayload(order)],
  'clear-limit': ({ id }) => ['ClearChargingProfile', { chargingProfileId: id }],
  schedule: ({ evse, durationS, unit }) => [
    'GetCompositeSchedule',
    { evseId: evse, duration: durationS, chargingRateUnit: unit },
  ],
  'session-status': ({ transactionId }) => ['GetTransactionStatus', { transactionId }],
})

const readAnswer = (payload: Payload): OrderAnswer => {
  const [set] = listOf(payload['setVariableResult'])
  const ongoing = payload['ongoingIndicator']
  return {
    status: textOf(payload['status']) ?? textOf(set?.['attributeStatus']) ?? 'Accepted',
    variables: listOf(payload['getVariableResult']).flatMap((one) => {
      const name = readName(one)
      if (!name || one['attributeStatus'] !== 'Accepted') return []
      return [{ ...name, value: textOf(one['attributeValue']), isReadOnly: false }]
    }),
    listVersion: numberOf(payload['versionNumber']),
    limit: lowestLimit(payload['schedule']),
    // Queued messages may include the end of the transaction.
    isOngoing: payload['messagesInQueue'] !== true && typeof ongoing === 'boolean' ? ongoing : null,
  }
}

const states = new Map<string, ConnectorState>([
  ['Available', 'available'],
  ['Occupied', 'occupied'],
  ['Reserved', 'reserved'],
  ['Unavailable', 'unavailable'],
  ['Faulted', 'faulted'],
])
const chargingStates = new Map<string, ConnectorState>([
  ['Charging', 'charging'],
  ['EVConnected', 'preparing'],
  ['SuspendedEV', 'suspended-ev'],
  ['SuspendedEVSE', 'suspended-evse'],
  ['Idle', 'occupied'],
])
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
    isLast: p['tbc'] !== true,
    variables: reported(p['reportData']),
  }),
  MeterValues: (p) => ({
    kind: 'values',
    evse: needOutlet(p, 'evseId'),
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

export const v201 = { read, answer, toCall, readAnswer }
