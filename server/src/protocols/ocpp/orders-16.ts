import { listOf, numberOf, objectOf, textOf } from './facts.ts'
import type { Payload } from './frames.ts'
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
