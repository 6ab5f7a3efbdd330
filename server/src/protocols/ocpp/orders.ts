import type { Payload } from './frames.ts'

/** Orders to chargers in one form for both versions, and the parts of their answers. */

/** A charging limit: for all sessions of an outlet, one session, or the whole station. */
export type Limit = {
  id: number
  purpose: 'default' | 'session' | 'station'
  /** 0 for the station. */
  evse: number
  stackLevel: number
  unit: 'A' | 'W'
  /** A per phase, or W in total; whole numbers. */
  limit: number
  /** Changes of the limit, `afterS` seconds after `fromMs`, in order. */
  later?: readonly { afterS: number; limit: number }[]
  phases: 1 | 3
  fromMs: number
  /** End of the limit, so that the charger falls back without a renewal; null for none. */
  untilMs: number | null
}

export const periodsOf = ({ limit, later = [], phases }: Pick<Limit, 'limit' | 'later' | 'phases'>) =>
  [{ afterS: 0, limit }, ...later].map((one) => ({
    startPeriod: one.afterS,
    limit: one.limit,
    numberPhases: phases,
  }))

export type ListEntry = {
  tag: string
  info: { isAccepted: boolean; groupKey: string | null; expiresAt: string | null } | null
}

export type SessionIds = { transactionNo: number; transactionId: string | null }

/** `no` is the number that a 2.0.1 charger repeats in later answers. */
export type Order =
  | { kind: 'start'; evse: number; tag: string; no: number }
  | ({ kind: 'stop' } & SessionIds)
  | { kind: 'reset'; isHard: boolean }
  | { kind: 'unlock'; evse: number }
  | { kind: 'availability'; evse: number; isOperative: boolean }
  | { kind: 'trigger'; message: string; evse: number | null }
  | { kind: 'clear-cache' }
  | { kind: 'firmware'; location: string; retrieveAt: string; no: number }
  | { kind: 'diagnostics'; location: string; no: number }
  | { kind: 'read-all'; no: number }
  | { kind: 'read'; variables: readonly VariableName[] }
  | ({ kind: 'write'; value: string } & VariableName)
  | { kind: 'list-version' }
  | { kind: 'list'; version: number; isFull: boolean; entries: readonly ListEntry[] }
  | ({ kind: 'limit'; session: SessionIds | null } & Limit)
  | { kind: 'clear-limit'; id: number }
  | { kind: 'schedule'; evse: number; durationS: number; unit: 'A' | 'W' }
  | { kind: 'session-status'; transactionId: string }

/** Action and payload of a call by kind of order. */
export type CallsOf = {
  [K in Order['kind']]: (order: Extract<Order, { kind: K }>) => [action: string, payload: Payload]
}

export const toCallBy =
  (calls: CallsOf) =>
  (order: Order): [action: string, payload: Payload] =>
    calls[order.kind](order as never) // the entry of its own kind

export type VariableName = { component: string; variable: string }
export type Variable = VariableName & { value: string | null; isReadOnly: boolean }

export type OrderAnswer = {
  status: string
  variables: Variable[]
  listVersion: number | null
  limit: number | null
  isOngoing: boolean | null
}
export const emptyAnswer: OrderAnswer = { status: '', variables: [], listVersion: null, limit: null, isOngoing: null }

const yes = new Set(['Accepted', 'Unlocked', 'Scheduled', 'RebootRequired', 'AcceptedCanceled'])
export const isYes = (status: string): boolean => yes.has(status)
