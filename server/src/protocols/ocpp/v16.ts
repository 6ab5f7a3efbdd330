import type { Payload } from './frames.ts'
import { type ConnectorState, type Fact, numberOf, type Outcome, textOf, type TokenInfo, whOf } from './facts.ts'
import { heard16, order16 } from './orders-16.ts'
import { needOutlet, needWh, plainAnswer, progressOf, progressReaders, readerOf, valuesOf } from './shared.ts'

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
