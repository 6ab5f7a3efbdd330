import type { Payload } from './frames.ts'
import {
  type ConnectorState,
  type Fact,
  numberOf,
  type Outcome,
  textOf,
  type TokenInfo,
  whOf,
  listOf,
} from './facts.ts'
import {
  lowestLimit,
  needOutlet,
  needWh,
  scheduleOf,
  validityOf,
  plainAnswer,
  progressOf,
  progressReaders,
  readerOf,
  valuesOf,
} from './shared.ts'
import { type OrderAnswer, type ListEntry, emptyAnswer, type Order, toCallBy } from './orders.ts'

const purposes = { default: 'TxDefaultProfile', session: 'TxProfile', station: 'ChargePointMaxProfile' } as const

const limitPayload = (order: Extract<Order, { kind: 'limit' }>): Payload => ({
  connectorId: order.evse,
  csChargingProfiles: {
    chargingProfileId: order.id,
    stackLevel: order.stackLevel,
    chargingProfileKind: 'Absolute',
    chargingProfilePurpose: purposes[order.purpose],
    ...(order.session ? { transactionId: order.session.transactionNo } : {}),
    ...validityOf(order),
    chargingSchedule: scheduleOf(order),
  },
})

const listed = ({ tag, info }: ListEntry): Payload => ({
  idTag: tag,
  ...(info && {
    idTagInfo: {
      status: info.isAccepted ? 'Accepted' : 'Blocked',
      ...(info.groupKey ? { parentIdTag: info.groupKey } : {}),
      ...(info.expiresAt ? { expiryDate: info.expiresAt } : {}),
    },
  }),
})

const toCall = toCallBy({
  start: ({ tag, evse }) => ['RemoteStartTransaction', { idTag: tag, connectorId: evse }],
  stop: ({ transactionNo }) => ['RemoteStopTransaction', { transactionId: transactionNo }],
  reset: ({ isHard }) => ['Reset', { type: isHard ? 'Hard' : 'Soft' }],
  unlock: ({ evse }) => ['UnlockConnector', { connectorId: evse }],
  availability: ({ evse, isOperative }) => [
    'ChangeAvailability',
    { connectorId: evse, type: isOperative ? 'Operative' : 'Inoperative' },
  ],
  trigger: ({ message, evse }) => [
    'TriggerMessage',
    { requestedMessage: message, ...(evse === null ? {} : { connectorId: evse }) },
  ],
  'clear-cache': () => ['ClearCache', {}],
  firmware: ({ location, retrieveAt }) => ['UpdateFirmware', { location, retrieveDate: retrieveAt }],
  diagnostics: ({ location }) => ['GetDiagnostics', { location }],
  'read-all': () => ['GetConfiguration', {}],
  read: ({ variables }) => ['GetConfiguration', { key: variables.map(({ variable }) => variable) }],
  write: ({ variable, value }) => ['ChangeConfiguration', { key: variable, value }],
  'list-version': () => ['GetLocalListVersion', {}],
  list: ({ version, isFull, entries }) => [
    'SendLocalList',
    { listVersion: version, updateType: isFull ? 'Full' : 'Differential', localAuthorizationList: entries.map(listed) },
  ],
  limit: (order) => ['SetChargingProfile', limitPayload(order)],
  'clear-limit': ({ id }) => ['ClearChargingProfile', { id }],
  schedule: ({ evse, durationS, unit }) => [
    'GetCompositeSchedule',
    { connectorId: evse, duration: durationS, chargingRateUnit: unit },
  ],
  'session-status': () => {
    throw new Error('OCPP 1.6 has no question about a transaction')
  },
})

/** An answer without a status is a yes. */
const readAnswer = (payload: Payload): OrderAnswer => {
  return {
    ...emptyAnswer,
    status: textOf(payload['status']) ?? 'Accepted',
    variables: listOf(payload['configurationKey']).flatMap((one) => {
      const variable = textOf(one['key'])
      const isReadOnly = one['readonly'] === true || one['readonly'] === 'true'
      return variable === null ? [] : [{ component: '', variable, value: textOf(one['value']), isReadOnly }]
    }),
    listVersion: numberOf(payload['listVersion']),
    limit: lowestLimit(payload['chargingSchedule']),
  }
}

const states = new Map<string, ConnectorState>([
  ['Available', 'available'],
  ['Preparing', 'preparing'],
  ['Charging', 'charging'],
  ['SuspendedEVSE', 'suspended-evse'],
  ['SuspendedEV', 'suspended-ev'],
  ['Finishing', 'finishing'],
  ['Reserved', 'reserved'],
  ['Unavailable', 'unavailable'],
  ['Faulted', 'faulted'],
])

/** An empty tag matches no user, but the message is never refused, because the charger would repeat the message forever. */
const tokenOf = (value: unknown) => ({ id: textOf(value) ?? '', type: null })

const unitOf = (sample: Payload) => ({ unit: textOf(sample['unit']), multiplier: 0 })

const readers: Record<string, (payload: Payload) => Fact> = {
  BootNotification: (p) => ({
    kind: 'booted',
    vendor: textOf(p['chargePointVendor']) ?? '',
    model: textOf(p['chargePointModel']) ?? '',
    serialNumber: textOf(p['chargePointSerialNumber']) ?? textOf(p['chargeBoxSerialNumber']),
    firmware: textOf(p['firmwareVersion']),
    iccid: textOf(p['iccid']),
    meterSerialNumber: textOf(p['meterSerialNumber']),
  }),
  Heartbeat: () => ({ kind: 'heartbeat' }),
  StatusNotification: (p) => {
    const error = textOf(p['errorCode'])
    const evse = needOutlet(p, 'connectorId')
    return {
      kind: 'status',
      evse,
      connector: evse === 0 ? null : 1,
      state: states.get(textOf(p['status']) ?? '') ?? 'unknown',
      error: error === 'NoError' ? null : error,
      info: [textOf(p['vendorErrorCode']), textOf(p['info'])].filter((one) => one !== null).join(' ') || null,
      at: textOf(p['timestamp']),
    }
  },
  Authorize: (p) => ({ kind: 'authorize', token: tokenOf(p['idTag']) }),
  StartTransaction: (p) => ({
    kind: 'started',
    evse: needOutlet(p, 'connectorId'),
    token: tokenOf(p['idTag']),
    meterStartWh: needWh(p, 'meterStart'),
    at: textOf(p['timestamp']),
  }),
  StopTransaction: (p) => ({
    kind: 'stopped',
    // Without an id it is matched like an unknown one.
    transactionNo: Math.round(numberOf(p['transactionId']) ?? -1),
    token: textOf(p['idTag']) === null ? null : tokenOf(p['idTag']),
    meterStopWh: whOf(p['meterStop']),
    at: textOf(p['timestamp']),
    reason: textOf(p['reason']),
    values: valuesOf(p['transactionData'], unitOf),
  }),
  ...progressReaders,
  DiagnosticsStatusNotification: progressOf('diagnostics'),
  SignedFirmwareStatusNotification: progressOf('firmware'),
  MeterValues: (p) => ({
    kind: 'values',
    evse: needOutlet(p, 'connectorId'),
    values: valuesOf(p['meterValue'], unitOf),
  }),
}

const noted = new Set(['SecurityEventNotification', 'DataTransfer', 'SignCertificate'])

const read = readerOf(readers, noted)

const statuses = {
  accepted: 'Accepted',
  blocked: 'Blocked',
  expired: 'Expired',
  unknown: 'Invalid',
  concurrent: 'ConcurrentTx',
} as const

const idTagInfo = ({ status, groupKey, expiresAt }: TokenInfo): Payload => ({
  status: statuses[status],
  ...(groupKey ? { parentIdTag: groupKey } : {}),
  ...(expiresAt ? { expiryDate: expiresAt } : {}),
})

const answer = (action: string, outcome: Outcome): Payload => {
  switch (outcome.kind) {
    case 'booted':
    case 'time':
    case 'done':
      return plainAnswer(action, outcome)
    case 'token':
      return { idTagInfo: idTagInfo(outcome.info) }
    case 'started':
      return { transactionId: outcome.transactionNo, idTagInfo: idTagInfo(outcome.info) }
    case 'stopped':
    case 'event':
      return outcome.info ? { idTagInfo: idTagInfo(outcome.info) } : {}
  }
}

export const v16 = { read, answer, toCall, readAnswer }
