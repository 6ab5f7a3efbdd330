import type { Failure, FieldErrors } from '@gridmast/contract/envelope.ts'
import { figuresOf, m } from '@gridmast/contract/messages.ts'

/** A refusal the caller may read: becomes the envelope with this status. Anything else thrown is a bug and answers 500. */
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

/** The envelope of a refusal. */
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
export const forbidden = (message: string = m.forbidden) => new Refusal(403, message)

/** Names the setting that decides what failed. A refused connection to a name with two addresses is a list of errors without words. */
export const blaming = <T>(setting: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
    const words = errors.map((one) => (one instanceof Error ? one.message : String(one)))
    throw new Error(`${setting}: ${words.join('; ')}`)
  })

/** Of a connection, and of a PostgreSQL that stops or starts, is a standby (25006), has no connection left (53300) or no room (53100). */
const awayCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|UND_ERR_(SOCKET|CONNECT_TIMEOUT)|57P0[1-3]|08[0-9A-Z]{3}|40001|40P01|25006|53300|53100|ENOSPC|202|209|210|242|252|999)$/
const awayWords =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Timeout error\.|socket hang up|The (records|readings) store is closed)/

/** A store did not answer: nothing is wrong with what was asked, and it may be asked again. */
export const isAway = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && awayCodes.test(error.code)) ||
    awayWords.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(isAway)) ||
    isAway(error.cause))

/** The disk under a store is full: PostgreSQL states it by its code, or in the words of the system. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  (hasState(error, /^(53100|ENOSPC)$/) || /no space left on device/i.test(error.message) || isFull(error.cause))

const hasState = (error: unknown, states: RegExp): boolean =>
  error instanceof Error &&
  (('code' in error && typeof error.code === 'string' && states.test(error.code)) || hasState(error.cause, states))

/** Two transactions were in each other's way: this one may be repeated at once. */
export const isConflict = (error: unknown): boolean => hasState(error, /^(40001|40P01)$/)

/** A value is out of range for the records store, missing or against a check of it (SQLSTATE class 22, 23502, 23514): it is never accepted. */
export const isUnfit = (error: unknown): boolean => hasState(error, /^(22[0-9A-Z]{3}|23502|23514)$/)

/** The records store will never take these values (SQLSTATE classes 22 and 23): trying again is of no use. */
export const isPermanent = (error: unknown): boolean => hasState(error, /^(22|23)[0-9A-Z]{3}$/)
