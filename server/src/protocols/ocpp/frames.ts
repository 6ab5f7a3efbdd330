import { parseJson } from '#platform/http/parse-json.ts'

/** OCPP-J frames: `[2, id, action, payload]`, `[3, id, payload]`, `[4, id, code, description, details]`. */

export const versions = ['ocpp1.6', 'ocpp2.0.1'] as const
export type Version = (typeof versions)[number]

export type Payload = Record<string, unknown>

export type Frame =
  | { kind: 'call'; id: string; action: string; payload: Payload }
  | { kind: 'result'; id: string; payload: Payload }
  | { kind: 'error'; id: string; code: string; description: string }
  /** A message type of a later version, to be ignored. */
  | { kind: 'unknown' }
  | { kind: 'broken' }

/** Longest id of the protocol; longer ones are not truncated, because the answer must repeat the id. */
const longestId = 255

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const readFrame = (text: string): Frame => {
  let parts: unknown
  try {
    parts = parseJson(text)
  } catch {
    return { kind: 'broken' }
  }
  if (!Array.isArray(parts)) return { kind: 'broken' }
  const [type, id, third, fourth] = parts as unknown[]
  if (type !== 2 && type !== 3 && type !== 4) return { kind: typeof type === 'number' ? 'unknown' : 'broken' }
  // Some chargers send a numeric id and accept the answer's text.
  if ((typeof id !== 'string' && typeof id !== 'number') || String(id).length > longestId) return { kind: 'broken' }
  const of = { id: String(id) }
  if (type === 4)
    return {
      kind: 'error',
      ...of,
      code: typeof third === 'string' ? third : '',
      description: typeof fourth === 'string' ? fourth : '',
    }
  // Libraries send null or nothing for an empty payload.
  if (type === 3)
    return isObject(third ?? {}) ? { kind: 'result', ...of, payload: (third ?? {}) as Payload } : { kind: 'broken' } // checked just before
  if (typeof third !== 'string' || !isObject(fourth ?? {})) return { kind: 'broken' }
  return { kind: 'call', ...of, action: third, payload: (fourth ?? {}) as Payload } // checked just before
}

export const callFrame = (id: string, action: string, payload: Payload): string =>
  JSON.stringify([2, id, action, payload])

/** The payload is text, so that a stored first answer is repeated byte for byte. */
export const resultFrame = (id: string, payloadText: string): string => `[3,${JSON.stringify(id)},${payloadText}]`

const codes = {
  notImplemented: ['NotImplemented', 'NotImplemented'],
  // The spelling of 1.6; chargers that do not know the corrected one repeat the message forever.
  notSupported: ['NotSupported', 'NotSupported'],
  notUnderstood: ['FormationViolation', 'FormatViolation'],
  missing: ['OccurenceConstraintViolation', 'OccurrenceConstraintViolation'],
  outOfRange: ['PropertyConstraintViolation', 'PropertyConstraintViolation'],
  internal: ['InternalError', 'InternalError'],
  notAllowed: ['SecurityError', 'SecurityError'],
  broken: ['GenericError', 'RpcFrameworkError'],
} as const
type Trouble = keyof typeof codes

export const errorFrame = (version: Version, id: string, trouble: Trouble, description = ''): string =>
  JSON.stringify([4, id, codes[trouble][version === 'ocpp1.6' ? 0 : 1], description.slice(0, 255), {}])

/** An invalid message, with the protocol's error. */
export class NotUnderstood extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, description: string) {
    super(description)
    this.trouble = trouble
  }
}
