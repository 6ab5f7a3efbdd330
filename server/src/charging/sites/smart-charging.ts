import { quarterMs } from '@gridmast/contract/time.ts'
import type { Connection } from '#protocols/ocpp/connection.ts'
import { isYes, type Order, type SessionIds, type VariableName } from '#protocols/ocpp/orders.ts'

type Ability = { unit: 'A' | 'W'; stackLevel: number; maxPeriods: number }

const variablesOf: Record<Connection['version'], Record<'unit' | 'stack' | 'periods', VariableName>> = {
  'ocpp1.6': {
    unit: { component: '', variable: 'ChargingScheduleAllowedChargingRateUnit' },
    stack: { component: '', variable: 'ChargeProfileMaxStackLevel' },
    periods: { component: '', variable: 'ChargingScheduleMaxPeriods' },
  },
  'ocpp2.0.1': {
    unit: { component: 'SmartChargingCtrlr', variable: 'RateUnit' },
    stack: { component: 'SmartChargingCtrlr', variable: 'ProfileStackLevel' },
    periods: { component: 'SmartChargingCtrlr', variable: 'PeriodsPerSchedule' },
  },
}
/** For chargers that do not state their maximum: above the examples in the OCPP specification. */
const defaultPeriods = 24

/** Amperes where both are supported: they need no assumption about the voltage. */
const unitOf = (value: string | null | undefined): 'A' | 'W' => {
  const words = (value ?? 'Current').split(/[\s,]+/)
  return words.some((word) => word === 'Current' || word === 'A') ? 'A' : 'W'
}

const readAbility = async (connection: Connection): Promise<Ability> => {
  const { unit, stack, periods } = variablesOf[connection.version]
  const answer = await connection.call({ kind: 'read', variables: [unit, stack, periods] }, { isQuiet: true })
  const variables = answer.kind === 'answered' ? answer.variables : []
  const valueOf = ({ variable }: VariableName) => variables.find((one) => one.variable === variable)?.value
  const [level, most] = [Number(valueOf(stack)), Number(valueOf(periods) ?? NaN)]
  return {
    unit: unitOf(valueOf(unit)),
    // The highest stack level overrides other profiles on the charger; 100 is above the need of any charger.
    stackLevel: Number.isInteger(level) ? Math.min(Math.max(level, 0), 100) : 0,
    maxPeriods: Number.isInteger(most) && most > 0 ? Math.min(most, 1000) : defaultPeriods,
  }
}

const abilities = new WeakMap<Connection, Promise<Ability>>()
const abilityOf = (connection: Connection): Promise<Ability> => {
  const ability = abilities.get(connection) ?? readAbility(connection)
  abilities.set(connection, ability)
  return ability
}

const volts = 230

export const wattsOf = (amperes: number, phases: number): number => amperes * volts * phases

export type Connector = { evse: number; phases: 1 | 3 }

/** Profile ids of an EVSE are fixed, so a new profile replaces the previous one. */
const fallbackId = (evse: number) => evse * 10 + 1
const sessionId = (evse: number) => evse * 10 + 2
const planIds = (evse: number) => ({ default: evse * 10 + 3, session: evse * 10 + 4 })

const limitOf = ({ unit, stackLevel }: Ability, { evse, phases }: Connector, amperes: number) => ({
  kind: 'limit' as const,
  evse,
  phases,
  unit,
  stackLevel,
  limit: unit === 'A' ? amperes : Math.floor(wattsOf(amperes, phases)),
})

export type ProfileAnswer = { isAccepted: boolean; refusal: string | null; isSilent: boolean }

const sendProfile = async (connection: Connection, order: Extract<Order, { kind: 'limit' }>) => {
  const answer = await connection.call(order, { isQuiet: true })
  if (answer.kind === 'answered') {
    const isAccepted = isYes(answer.status)
    return { isAccepted, refusal: isAccepted ? null : answer.status, isSilent: false }
  }
  const refusal = answer.kind === 'refused' ? answer.code : null
  return { isAccepted: false, refusal, isSilent: answer.kind !== 'refused' }
}

/** The permanent limit of the EVSE's sessions, else of the whole charger, which only helps where its EVSEs may draw something. */
export const setFallback = async (
  connection: Connection,
  connector: Connector,
  amperes: number,
  connectors: number,
  nowMs: number,
): Promise<ProfileAnswer> => {
  const ability = await abilityOf(connection)
  const always = { fromMs: nowMs, untilMs: null, session: null }
  const { evse } = connector
  const limit = { ...limitOf(ability, connector, amperes), ...always }
  const answer = await sendProfile(connection, { ...limit, id: fallbackId(evse), purpose: 'default' })
  if (answer.isAccepted || answer.isSilent || amperes === 0) return answer
  const whole = limitOf(ability, { ...connector, evse: 0 }, amperes * connectors)
  const second = await sendProfile(connection, { ...whole, ...always, id: fallbackId(0), purpose: 'station' })
  return second.isAccepted ? second : answer
}

/** Valid until its end unless renewed: a dead server does not limit a charger forever. */
export const setSessionLimit = async (
  connection: Connection,
  connector: Connector,
  amperes: number,
  session: SessionIds,
  time: { fromMs: number; untilMs: number },
): Promise<ProfileAnswer> => {
  const ability = await abilityOf(connection)
  const limit = limitOf(ability, connector, amperes)
  return sendProfile(connection, { ...limit, ...time, id: sessionId(connector.evse), purpose: 'session', session })
}

/** Power of an EVSE by quarter, in W. */
export type ConnectorPlan = { fromMs: number; watts: readonly number[] }

/** A plan has whole Wh: a quarter at 31 A may arrive as 30.997 A. */
const wholeAmpere = 0.02

const cutPlan = ({ unit, maxPeriods }: Ability, { phases }: Connector, { fromMs, watts }: ConnectorPlan) => {
  const limits = watts.map((watt) =>
    unit === 'W' ? Math.round(watt) : Math.floor(watt / wattsOf(1, phases) + wholeAmpere),
  )
  const changes = limits.flatMap((limit, i) =>
    i > 0 && limits[i - 1] === limit ? [] : [{ afterS: (i * quarterMs) / 1000, limit }],
  )
  const [first = { limit: 0 }, ...later] = changes.slice(0, maxPeriods)
  const untilMs = fromMs + (changes[maxPeriods]?.afterS ?? (watts.length * quarterMs) / 1000) * 1000
  return { limit: first.limit, later, fromMs, untilMs }
}

export const setPlan = async (
  connection: Connection,
  connector: Connector,
  plan: ConnectorPlan,
  session: SessionIds | null,
): Promise<ProfileAnswer> => {
  const ability = await abilityOf(connection)
  const base = { ...limitOf(ability, connector, 0), ...cutPlan(ability, connector, plan) }
  const ids = planIds(connector.evse)
  const answer = await sendProfile(connection, { ...base, id: ids.default, purpose: 'default', session: null })
  if (!session) return answer
  // A charger that refuses a plan for all sessions may accept one for the running session.
  const running = await sendProfile(connection, { ...base, id: ids.session, purpose: 'session', session })
  return running.isAccepted ? running : answer
}

export const clearPlan = async (connection: Connection, evse: number): Promise<boolean> => {
  for (const id of Object.values(planIds(evse))) {
    const { kind } = await connection.call({ kind: 'clear-limit', id }, { isQuiet: true })
    if (kind !== 'answered' && kind !== 'refused') return false
  }
  return true
}

export const clearFallback = (connection: Connection, evse: number) =>
  connection.call({ kind: 'clear-limit', id: fallbackId(evse) }, { isQuiet: true })

/** The limit that the charger itself reports, in A per phase; null where it cannot. */
export const readSchedule = async (connection: Connection, { evse, phases }: Connector): Promise<number | null> => {
  const { unit } = await abilityOf(connection)
  const answer = await connection.call({ kind: 'schedule', evse, durationS: 60, unit }, { isQuiet: true })
  if (answer.kind !== 'answered' || !isYes(answer.status) || answer.limit === null) return null
  return unit === 'A' ? answer.limit : Math.round((answer.limit / wattsOf(1, phases)) * 10) / 10
}
