import { verify, logout } from '@gridmast/contract/people/auth.ts'
import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { type Failure, ticketHeader } from '@gridmast/contract/envelope.ts'
import { keepFigures, m } from '@gridmast/contract/messages.ts'
import { setClock } from './clock.ts'
import { translateText } from './i18n.ts'
import { loseSession, tokenStore, removeAccount, type SavedAccount } from './session.ts'
import { createStore } from './store.ts'
import { showToast } from './toast.ts'

declare global {
  interface Window {
    /** The account of this token, requested by `public/first-paint.js` before the portal was loaded. */
    firstCall?: { token: string; answer: Promise<Response> }
  }
}

/** The answer to that call, once and only for the same token. */
const consumeFirstAnswer = (token: string | null): Promise<Response> | null => {
  const call = window.firstCall
  delete window.firstCall
  return call && call.token === token ? call.answer : null
}

/** Removes an account from this device and ends its session, which could not be ended here later. */
export const forgetAccount = ({ id, token }: SavedAccount) => {
  removeAccount(id)
  if (token) void send(logout, {}, undefined, token).catch(() => {}) // an ended or unreachable session needs no error
}

/** A refused call: the server's message, and one per field. Status 0: the server was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Record<string, string>
  readonly retryAfterS: number | null

  constructor(status: number, message: string, errors: Record<string, string> = {}, retryAfterS: number | null = null) {
    super(message)
    this.status = status
    this.errors = errors
    this.retryAfterS = retryAfterS
  }
}

/** Counts refusals because of a due step (a new password, a second factor); the shell then opens it. */
export const dueRefusals = createStore(0)

export const pendingCalls = createStore(0)

type Loose = {
  params?: Record<string, unknown>
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  body?: unknown
  file?: File | null
  /** Requests a one-time cookie for the file of the call instead of the file. */
  ticket?: boolean
  /** Also sent while the page is being left. */
  keepalive?: boolean
}

/** JSON; for a call with an upload a form with `values` as JSON and the chosen file. */
const bodyOf = ({ upload }: CallShape, { body, file }: Loose): string | FormData | null => {
  if (body === undefined) return null
  if (upload === undefined) return JSON.stringify(body)
  const form = new FormData()
  form.set('values', JSON.stringify(body))
  if (file) form.set(upload, file)
  return form
}

export const urlOf = (call: CallShape, { params = {}, query = {} }: Loose): string => {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) search.append(name, `${one}`)
  return `/api${path}${search.size > 0 ? `?${search}` : ''}`
}

const failureOf = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null)
  const { message, errors, figures = {} } = (body ?? {}) as Partial<Failure> // the envelope of a failure
  for (const [text, figure] of Object.entries(figures)) keepFigures(text, figure)
  const retryAfter = Number(response.headers.get('retry-after'))
  return new ApiError(response.status, message ?? m.internal, errors, retryAfter > 0 ? retryAfter : null)
}

/** Throws an ApiError. An ended session signs out here, once. */
export const send = async (
  call: CallShape,
  sent: Loose,
  signal?: AbortSignal,
  token: string | null = tokenStore.get(),
): Promise<Response> => {
  const headers = new Headers()
  if (token && call.may !== 'public') headers.set('Authorization', `Bearer ${token}`)
  if (sent.ticket) headers.set(ticketHeader, '1')
  const body = bodyOf(call, sent)
  if (typeof body === 'string') headers.set('Content-Type', 'application/json')
  let response: Response
  const sentMs = Date.now()
  const first = call.path === verify.path ? consumeFirstAnswer(token) : null
  try {
    const { keepalive = false } = sent
    response = await (first ??
      fetch(urlOf(call, sent), { method: call.method, headers, body, keepalive, signal: signal ?? null }))
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'The server cannot be reached')
  }
  if (!first) setClock(response.headers.get('date'), sentMs)
  if (response.ok) return response
  const failure = await failureOf(response)
  if (failure.status === 401 && call.may !== 'public' && token !== null && tokenStore.get() === token) {
    loseSession()
    if (failure.message !== m.jwtMalformed) showToast({ kind: 'error', message: translateText(failure.message) })
  }
  if (failure.status === 403 && (failure.message === m.passwordExpired || failure.message === m.secondFactorDue))
    dueRefusals.set(dueRefusals.get() + 1)
  throw failure
}

type Parts<C extends CallShape> = keyof Sent<C> extends never ? [sent?: Sent<C>] : [sent: Sent<C>]

export const api = async <C extends CallShape>(
  call: C,
  ...[sent, signal]: [...Parts<C>, signal?: AbortSignal]
): Promise<Data<C>> => {
  pendingCalls.set(pendingCalls.get() + 1)
  try {
    const response = await send(call, (sent ?? {}) as Loose, signal as AbortSignal | undefined) // Sent<C> is the typed form of Loose
    const envelope = (await response.json()) as { message?: string; data: Data<C> } // the server's tests validate its answers
    if (call.ok) showToast({ kind: 'success', message: translateText(envelope.message ?? call.ok) })
    return envelope.data
  } finally {
    pendingCalls.set(pendingCalls.get() - 1)
  }
}
