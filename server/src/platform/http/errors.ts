import type { Failure, FieldErrors } from '@gridmast/contract/envelope.ts'
import { figuresOf, m } from '@gridmast/contract/messages.ts'

/** A refusal with this status and a message for the caller; any other error is a bug and answers 500. */
export class Refusal extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly retryAfterS: number | undefined

  constructor(status: number, message: string, more: { errors?: FieldErrors; retryAfterS?: number } = {}) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.retryAfterS = more.retryAfterS
  }
}

export const failed = (message: string, errors: FieldErrors = {}): Failure => {
  const figures = Object.fromEntries(
    [message, ...Object.values(errors)].flatMap((text) => {
      const figured = figuresOf(text)
      return figured ? [[text, figured]] : []
    }),
  )
  return {
    success: false,
    message,
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
    ...(Object.keys(figures).length > 0 ? { figures } : {}),
  }
}

export const invalid = (errors: FieldErrors) => new Refusal(400, Object.values(errors)[0] ?? m.invalidInput, { errors })
export const notFound = () => new Refusal(404, m.notFound)
/** The caller is gone, or the time of the work has passed. */
export const stopped = () => new Refusal(503, m.unavailable)
export const forbidden = (message: string = m.forbidden) => new Refusal(403, message)

/** One line of at most 300 characters; an engine's error may be pages long. */
const inOneLine = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  if (/^\s*</.test(text)) return 'a web page was answered: another server has this address'
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}

/** Prefixes the error with the setting at fault; a refused connection to a name with two addresses is an AggregateError without a message. */
export const namingSetting = <T>(setting: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
    throw new Error(`${setting}: ${errors.map(inOneLine).join('; ')}`)
  })

/** Connection errors, and a PostgreSQL that stops, starts, is a standby (25006), or has no connection (53300) or disk space (53100) left. */
const awayCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|UND_ERR_(SOCKET|CONNECT_TIMEOUT)|57P0[1-3]|08[0-9A-Z]{3}|40001|40P01|25006|53300|53100|ENOSPC|202|209|210|242|252|999)$/
const awayWords =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Timeout error\.|socket hang up|The (records|readings) store is closed)/

/** A full disk, in the words of the operating system, and of PostgreSQL, which ends a new connection that cannot store its cache of the catalog. */
const fullWords = /no space left on device|could not write init file/i

/** A store did not answer; the request is valid and can be retried. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && awayCodes.test(error.code)) ||
    awayWords.test(error.message) ||
    fullWords.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(isUnavailable)) ||
    isUnavailable(error.cause))

/** The disk of a store is full: SQLSTATE 53100, ENOSPC, or its words. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  (hasState(error, /^(53100|ENOSPC)$/) || fullWords.test(error.message) || isFull(error.cause))

const hasState = (error: unknown, states: RegExp): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && states.test(error.code)) || hasState(error.cause, states))

export const isConflict = (error: unknown): boolean => hasState(error, /^(40001|40P01)$/)

/** A value out of range, missing, or against a check constraint (SQLSTATE class 22, 23502, 23514): never accepted. */
export const isUnfit = (error: unknown): boolean => hasState(error, /^(22[0-9A-Z]{3}|23502|23514)$/)

/** Values that the records store never accepts (SQLSTATE classes 22 and 23): a retry is useless. */
export const isPermanent = (error: unknown): boolean => hasState(error, /^(22|23)[0-9A-Z]{3}$/)
