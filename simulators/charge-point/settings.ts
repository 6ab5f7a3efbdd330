import type { Payload } from './wire.ts'

const objectOf = (value: unknown): Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {} // checked in this line
const listOf = (value: unknown): Payload[] => (Array.isArray(value) ? value.map(objectOf) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type Setting = { component: string; variable: string; value: string; isReadOnly: boolean }

const initial = (connectors: number): Setting[] => [
  { component: 'OCPPCommCtrlr', variable: 'HeartbeatInterval', value: '300', isReadOnly: false },
  { component: 'SampledDataCtrlr', variable: 'MeterValueSampleInterval', value: '30', isReadOnly: false },
  { component: 'AuthCtrlr', variable: 'LocalAuthListEnabled', value: 'true', isReadOnly: false },
  { component: 'AuthCtrlr', variable: 'LocalAuthorizeOffline', value: 'true', isReadOnly: false },
  { component: 'AuthCtrlr', variable: 'AllowOfflineTxForUnknownId', value: 'false', isReadOnly: false },
  { component: 'LocalAuthListCtrlr', variable: 'SendLocalListMaxLength', value: '50', isReadOnly: true },
  { component: 'LocalAuthListCtrlr', variable: 'ItemsPerMessage', value: '50', isReadOnly: true },
  { component: 'LocalAuthListCtrlr', variable: 'LocalAuthListMaxLength', value: '2000', isReadOnly: true },
  {
    component: 'SmartChargingCtrlr',
    variable: 'ChargingScheduleAllowedChargingRateUnit',
    value: 'Current,Power',
    isReadOnly: true,
  },
  { component: 'SmartChargingCtrlr', variable: 'RateUnit', value: 'A,W', isReadOnly: true },
  { component: 'SmartChargingCtrlr', variable: 'ChargeProfileMaxStackLevel', value: '8', isReadOnly: true },
  { component: 'SmartChargingCtrlr', variable: 'ProfileStackLevel', value: '8', isReadOnly: true },
  { component: 'SmartChargingCtrlr', variable: 'ChargingScheduleMaxPeriods', value: '96', isReadOnly: true },
  { component: 'SmartChargingCtrlr', variable: 'PeriodsPerSchedule', value: '96', isReadOnly: true },
  { component: 'ChargingStation', variable: 'NumberOfConnectors', value: String(connectors), isReadOnly: true },
]

type Period = { afterS: number; amperes: number }
type Profile = { id: number; evse: number; purpose: string; fromMs: number; periods: Period[]; untilMs: number }

const volts = 230

const profileOf = (payload: Payload): Profile => {
  const profile = objectOf(payload['csChargingProfiles'] ?? payload['chargingProfile'])
  const schedule = Array.isArray(profile['chargingSchedule'])
    ? listOf(profile['chargingSchedule'])[0]
    : objectOf(profile['chargingSchedule'])
  const amperesOf = (period: Payload) => {
    const limit = Number(period['limit'] ?? 0)
    return schedule?.['chargingRateUnit'] === 'W' ? limit / volts / Number(period['numberPhases'] ?? 3) : limit
  }
  const start = schedule?.['startSchedule']
  return {
    id: Number(profile['chargingProfileId'] ?? profile['id']),
    evse: Number(payload['connectorId'] ?? payload['evseId'] ?? 0),
    purpose: textOf(profile['chargingProfilePurpose']),
    fromMs: typeof start === 'string' ? Date.parse(start) : 0,
    periods: listOf(schedule?.['chargingSchedulePeriod']).map((period) => ({
      afterS: Number(period['startPeriod'] ?? 0),
      amperes: amperesOf(period),
    })),
    untilMs: typeof profile['validTo'] === 'string' ? Date.parse(profile['validTo']) : Infinity,
  }
}

export const openSettings = (connectors: number, now: () => number) => {
  const settings = initial(connectors)
  const profiles = new Map<number, Profile>()
  const list = { version: 0, tags: new Map<string, boolean>() }

  /** A per phase that a session on this connector may draw; a session's limit precedes that of all sessions. */
  const limitA = (evse: number): number => {
    const of = (purpose: string, at = evse) => {
      const [profile] = [...profiles.values()]
        .filter((one) => one.evse === at && one.purpose === purpose && one.untilMs > now())
        .slice(-1)
      const sinceS = (now() - (profile?.fromMs ?? 0)) / 1000
      return (profile?.periods.findLast(({ afterS }) => afterS <= sinceS) ?? profile?.periods[0])?.amperes
    }
    const own = of('TxProfile') ?? of('TxDefaultProfile') ?? of('TxDefaultProfile', 0) ?? Infinity
    return Math.min(own, of('ChargePointMaxProfile', 0) ?? of('ChargingStationMaxProfile', 0) ?? Infinity)
  }

  const read = (names: readonly Payload[]) =>
    names.map((name) => {
      const [component, variable] = [objectOf(name['component']), objectOf(name['variable'])]
      const found = settings.find((one) => one.component === component['name'] && one.variable === variable['name'])
      return {
        component,
        variable,
        attributeStatus: found ? 'Accepted' : 'UnknownVariable',
        ...(found ? { attributeValue: found.value } : {}),
      }
    })

  const write = (variable: string, value: string): string => {
    const found = settings.find((one) => one.variable === variable)
    if (!found) return 'NotSupported'
    if (found.isReadOnly) return 'Rejected'
    found.value = value
    return 'Accepted'
  }

  const saveList = (payload: Payload): string => {
    const entries = listOf(payload['localAuthorizationList'])
    if (payload['updateType'] === 'Full') list.tags.clear()
    for (const entry of entries) {
      const tag = textOf(entry['idTag'] ?? objectOf(entry['idToken'])['idToken'])
      const info = entry['idTagInfo'] ?? entry['idTokenInfo']
      if (info === undefined) list.tags.delete(tag)
      else list.tags.set(tag, objectOf(info)['status'] === 'Accepted')
    }
    list.version = Number(payload['listVersion'] ?? payload['versionNumber'])
    return 'Accepted'
  }

  const answer = (action: string, payload: Payload): Payload | null => {
    switch (action) {
      case 'GetConfiguration': {
        const keys = Array.isArray(payload['key']) ? payload['key'] : null
        const found = settings.filter(({ variable }) => keys === null || keys.includes(variable))
        return {
          configurationKey: found.map((one) => ({ key: one.variable, value: one.value, readonly: one.isReadOnly })),
        }
      }
      case 'ChangeConfiguration':
        return { status: write(textOf(payload['key']), textOf(payload['value'])) }
      case 'GetVariables':
        return { getVariableResult: read(listOf(payload['getVariableData'])) }
      case 'SetVariables':
        return {
          setVariableResult: listOf(payload['setVariableData']).map(({ component, variable, attributeValue }) => {
            const status = write(textOf(objectOf(variable)['name']), textOf(attributeValue))
            return { component, variable, attributeStatus: status === 'NotSupported' ? 'UnknownVariable' : status }
          }),
        }
      case 'SetChargingProfile': {
        const profile = profileOf(payload)
        profiles.delete(profile.id)
        profiles.set(profile.id, profile)
        return { status: 'Accepted' }
      }
      case 'ClearChargingProfile':
        return {
          status: profiles.delete(Number(payload['id'] ?? payload['chargingProfileId'])) ? 'Accepted' : 'Unknown',
        }
      case 'GetCompositeSchedule': {
        const evse = Number(payload['connectorId'] ?? payload['evseId'])
        const limit = limitA(evse)
        if (limit === Infinity) return { status: 'Rejected' }
        const isWatt = payload['chargingRateUnit'] === 'W'
        const period = { startPeriod: 0, limit: isWatt ? limit * volts * 3 : limit }
        const schedule = { chargingRateUnit: isWatt ? 'W' : 'A', chargingSchedulePeriod: [period] }
        return { status: 'Accepted', connectorId: evse, chargingSchedule: schedule, schedule }
      }
      case 'GetLocalListVersion':
        return { listVersion: list.version, versionNumber: list.version }
      case 'SendLocalList':
        return { status: saveList(payload) }
      default:
        return null
    }
  }

  return {
    answer,
    limitA,
    forgetSession: (evse: number) => {
      for (const [id, one] of profiles) if (one.evse === evse && one.purpose === 'TxProfile') profiles.delete(id)
    },
    report: () =>
      settings.map((one) => ({
        component: { name: one.component },
        variable: { name: one.variable },
        variableAttribute: [{ value: one.value, mutability: one.isReadOnly ? 'ReadOnly' : 'ReadWrite' }],
      })),
    listed: (tag: string) => list.tags.get(tag),
  }
}
