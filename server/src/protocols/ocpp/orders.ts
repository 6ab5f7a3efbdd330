/** What people and rules ask of a charger, in one form for both versions, and what a charger's answer holds beside its word. */

/** A limit of a charger's schedule: of all sessions on an outlet, of one session, or of the station as a whole. */
export type Limit = {
  id: number
  purpose: 'default' | 'session' | 'station'
  /** 0 for the station. */
  evse: number
  stackLevel: number
  unit: 'A' | 'W'
  /** A of each phase, or W of all; whole numbers. */
  limit: number
  /** What it becomes so many seconds after `fromMs`, in order; left out where it stays. */
  later?: readonly { afterS: number; limit: number }[]
  phases: 1 | 3
  fromMs: number
  /** So that the charger falls back by itself when nobody renews it. Null is for ever. */
  untilMs: number | null
}

/** The periods of a schedule, which both versions write alike. */
export const periodsOf = ({ limit, later = [], phases }: Pick<Limit, 'limit' | 'later' | 'phases'>) =>
  [{ afterS: 0, limit }, ...later].map((one) => ({
    startPeriod: one.afterS,
    limit: one.limit,
    numberPhases: phases,
  }))

export type ListEntry = {
  tag: string
  /** Null takes the tag off the list. */
  info: { isAccepted: boolean; groupKey: string | null; expiresAt: string | null } | null
}

type Session = { transactionNo: number; transactionId: string | null }

/** `no` is a number of ours by which a 2.0.1 charger names what it answers later. */
export type Order =
  | { kind: 'start'; evse: number; tag: string; no: number }
  | ({ kind: 'stop' } & Session)
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
  | ({ kind: 'limit'; session: Session | null } & Limit)
  | { kind: 'clear-limit'; id: number }
  | { kind: 'schedule'; evse: number; durationS: number; unit: 'A' | 'W' }
  | { kind: 'session-status'; transactionId: string }

export type VariableName = { component: string; variable: string }
export type Variable = VariableName & { value: string | null; isReadOnly: boolean }

/** An answer as far as it could be read. */
export type Heard = {
  status: string
  variables: Variable[]
  listVersion: number | null
  /** The lowest limit of the schedule that was asked for. */
  limit: number | null
  isOngoing: boolean | null
}
export const nothingHeard: Heard = { status: '', variables: [], listVersion: null, limit: null, isOngoing: null }

/** Words by which a charger says yes. */
const yes = new Set(['Accepted', 'Unlocked', 'Scheduled', 'RebootRequired', 'AcceptedCanceled'])
export const isYes = (status: string): boolean => yes.has(status)
