import type { Variable } from './orders.ts'

/** Messages of chargers and their answers in one form for both versions. Times are the charger's; the ledger decides which to trust. */

/** `evse` is an outlet that charges one car at a time: the connector of 1.6, the EVSE of 2.0.1. */
type Outlet = { evse: number; connector: number | null }

export type Sampled = {
  value: string
  measurand: string
  phase: string | null
  unit: string | null
  /** Power of ten on the value. */
  multiplier: number
  context: string
  location: string
}
export type MeterValue = { at: string | null; samples: Sampled[] }

export type Token = { id: string; type: string | null }

export type ConnectorState =
  | 'available'
  | 'preparing'
  | 'charging'
  | 'suspended-ev'
  | 'suspended-evse'
  | 'finishing'
  | 'occupied'
  | 'reserved'
  | 'unavailable'
  | 'faulted'
  | 'unknown'

export type Fact =
  | {
      kind: 'booted'
      vendor: string
      model: string
      serialNumber: string | null
      firmware: string | null
      iccid: string | null
      meterSerialNumber: string | null
    }
  | { kind: 'heartbeat' }
  | ({ kind: 'status'; state: ConnectorState; error: string | null; info: string | null; at: string | null } & Outlet)
  | { kind: 'authorize'; token: Token }
  | { kind: 'started'; evse: number; token: Token; meterStartWh: number; at: string | null }
  | {
      kind: 'stopped'
      transactionNo: number
      token: Token | null
      meterStopWh: number | null
      at: string | null
      reason: string | null
      values: MeterValue[]
    }
  | { kind: 'values'; evse: number; values: MeterValue[] }
  | {
      kind: 'event'
      phase: 'started' | 'updated' | 'ended'
      transactionId: string
      at: string | null
      sequence: number
      chargingState: ConnectorState | null
      reason: string | null
      remoteStartNo: number | null
      isOffline: boolean
      evse: number | null
      connector: number | null
      token: Token | null
      values: MeterValue[]
    }
  | { kind: 'progress'; what: 'firmware' | 'diagnostics'; status: string }
  | { kind: 'report'; isLast: boolean; variables: Variable[] }
  /** Stored as a raw frame only; nothing in the ledger. */
  | { kind: 'noted' }

type TokenStatus = 'accepted' | 'blocked' | 'expired' | 'unknown' | 'concurrent'
export type TokenInfo = { status: TokenStatus; groupKey: string | null; expiresAt: string | null }

export type Outcome =
  | { kind: 'booted'; status: 'Accepted' | 'Pending'; nowMs: number; intervalS: number }
  | { kind: 'time'; nowMs: number }
  | { kind: 'token'; info: TokenInfo }
  | { kind: 'started'; transactionNo: number; info: TokenInfo }
  | { kind: 'stopped'; info: TokenInfo | null }
  | { kind: 'event'; info: TokenInfo | null }
  | { kind: 'done' }

const longestText = 500

const isPlain = (text: string) => text.length <= longestText && text.isWellFormed() && !text.includes('\0')
const cleaned = (text: string) => text.replaceAll('\0', '').toWellFormed().slice(0, longestText)

/** For members of a charger's payload: a wrong type counts as absent. */
export const textOf = (value: unknown): string | null =>
  // Characters that no text column accepts are removed.
  typeof value === 'string' && value !== '' ? (isPlain(value) ? value : cleaned(value)) : null
export const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
/** Above any register (100 GWh): a larger value is a fault. */
export const maxWh = 99_999_999_999
/** A register value of 1.6, null when implausible. */
export const whOf = (value: unknown): number | null => {
  const wh = numberOf(value)
  return wh !== null && Math.abs(wh) <= maxWh ? wh : null
}
/** As text: 1.6 sends measured values as text, 2.0.1 as numbers. */
export const scalarOf = (value: unknown): string => (typeof value === 'number' ? String(value) : (textOf(value) ?? ''))
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {} // checked in this line
export const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(objectOf) : [])
