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
  objectOf,
} from './facts.ts'
import { needOutlet, needWh, plainAnswer, progressOf, progressReaders, readerOf, valuesOf } from './shared.ts'
import { type Heard, type ListEntry, nothingHeard, type Order, periodsOf } from './orders.ts'

const iso = (ms: number) => new Date(ms).toISOString()

const purposes = { default: 'TxDefaultProfile', session: 'TxProfile', station: 'ChargePointMaxProfile' } as const

const limitPayload = (given: Extract<Order, { kind: 'limit' }>): Payload => ({
  connectorId: given.evse,
  csChargingProfiles: {
    chargingProfileId: given.id,
    stackLevel: given.stackLevel,
    chargingProfileKind: 'Absolute',
    chargingProfilePurpose: purposes[given.purpose],
    ...(given.session ? { transactionId: given.session.transactionNo } : {}),
    ...(given.untilMs === null ? {} : { validFrom: iso(given.fromMs), validTo: iso(given.untilMs) }),
    chargingSchedule: {
      startSchedule: iso(given.fromMs),
      chargingRateUnit: given.unit,
      ...(given.untilMs === null ? {} : { duration: Math.round((given.untilMs - given.fromMs) / 1000) }),
      chargingSchedulePeriod: periodsOf(given),
    },
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

export const order16 = (given: Order): [action: string, payload: Payload] => {
  switch (given.kind) {
    case 'start':
      return ['RemoteStartTransaction', { idTag: given.tag, connectorId: given.evse }]
    case 'stop':
      return ['RemoteStopTransaction', { transactionId: given.transactionNo }]
    case 'reset':
      return ['Reset', { type: given.isHard ? 'Hard' : 'Soft' }]
    case 'unlock':
      return ['UnlockConnector', { connectorId: given.evse }]
    case 'availability':
      return ['ChangeAvailability', { connectorId: given.evse, type: given.isOperative ? 'Operative' : 'Inoperative' }]
    case 'trigger':
      return [
        'TriggerMessage',
        { requestedMessage: given.message, ...(given.evse === null ? {} : { connectorId: given.evse }) },
      ]
    case 'clear-cache':
      return ['ClearCache', {}]
    case 'firmware':
      return ['UpdateFirmware', { location: given.location, retrieveDate: given.retrieveAt }]
    case 'diagnostics':
      return ['GetDiagnostics', { location: given.location }]
    case 'read-all':
      return ['GetConfiguration', {}]
    case 'read':
      return ['GetConfiguration', { key: given.variables.map(({ variable }) => variable) }]
    case 'write':
      return ['ChangeConfiguration', { key: given.variable, value: given.value }]
    case 'list-version':
      return ['GetLocalListVersion', {}]
    case 'list':
      return [
        'SendLocalList',
        {
          listVersion: given.version,
          updateType: given.isFull ? 'Full' : 'Differential',
          localAuthorizationList: given.entries.map(listed),
        },
      ]
    case 'limit':
      return ['SetChargingProfile', limitPayload(given)]
    case 'clear-limit':
      return ['ClearChargingProfile', { id: given.id }]
    case 'schedule':
      return [
        'GetCompositeSchedule',
        { connectorId: given.evse, duration: given.durationS, chargingRateUnit: given.unit },
      ]
    case 'session-status':
      throw new Error('OCPP 1.6 has no question about a transaction')
  }
}

/** An answer without a status is a yes. */
export const heard16 = (payload: Payload): Heard => {
  const periods = listOf(objectOf(payload['chargingSchedule'])['chargingSchedulePeriod'])
  const limits = periods.map((one) => numberOf(one['limit'])).filter((one) => one !== null)
  return {
    ...nothingHeard,
    status: textOf(payload['status']) ?? 'Accepted',
    variables: listOf(payload['configurationKey']).flatMap((one) => {
      const variable = textOf(one['key'])
      const isReadOnly = one['readonly'] === true || one['readonly'] === 'true'
      return variable === null ? [] : [{ component: '', variable, value: textOf(one['value']), isReadOnly }]
    }),
    listVersion: numberOf(payload['listVersion']),
    limit: limits.length > 0 ? Math.min(...limits) : null,
  }
}

const states = new Map<string, ConnectorState>(
  Object.entries({
    Available: 'available',
    Preparing: 'preparing',
    Charging: 'charging',
    SuspendedEVSE: 'suspended-evse',
    SuspendedEV: 'suspended-ev',
    Finishing: 'finishing',
    Reserved: 'reserved',
    Unavailable: 'unavailable',
    Faulted: 'faulted',
  }),
)

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
    transactionNo: numberOf(p['transactionId']),
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

export const v16 = { read, answer, order: order16, heard: heard16 }
