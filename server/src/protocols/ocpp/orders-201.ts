import { listOf, numberOf, objectOf, textOf } from './facts.ts'
import type { Payload } from './frames.ts'
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

/** Current settings of a report about the whole station. */
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
