import './zod-words.ts'
import { z } from 'zod'
import { m } from './messages.ts'
import type { CapabilityName } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The names between braces in a path: '/a/{x}/b/{y}' -> 'x' | 'y'. */
type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never

/** What an answer is on the wire: a JSON envelope, a server-sent-event stream, or rows that may also be asked for as a file. */
export type Answer = 'json' | 'events' | 'html'

/** What acts change and lists show. An act touches some of them, and whatever shows one of these is read again. */
export const things = [
  'alert',
  'api-key',
  'audit',
  'backtest',
  'bid-request',
  'bid-result',
  'charger',
  'charging-choice',
  'charging-price',
  'charging-session',
  'charging-site',
  'company',
  'email-subscription',
  'equipment',
  'instance',
  'load-plan',
  'meter',
  'payment',
  'payment-account',
  'profile',
  'reconciliation',
  'scope-report',
  'sign-in',
  'statement-reader',
  'support-note',
  'tag',
  'tax',
  'webhook',
] as const
export type Thing = (typeof things)[number]

export type CallShape = {
  method: Method
  path: string
  /** Words for OpenAPI and /api/docs: one line, what the caller gets. */
  summary: string
  /** A capability of roles.ts, or 'public' for calls without a session. The server does not boot with a call that declares none. */
  may: CapabilityName | 'public'
  /** What a call that is no GET changes, besides the audit trail. */
  touches?: readonly Thing[]
  /** What a GET shows. */
  of?: readonly Thing[]
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** Shape of the envelope's `data`. */
  response?: z.ZodType
  answer?: Answer
  /** The body comes as multipart: the form field `values` holds `body` as JSON, this field an optional file. */
  upload?: string
  /** Works also for a session that must first change its password or set up its second factor; or for the one of these named. */
  restricted?: true | 'password' | 'second-factor'
  /** Success text: the server sends it as `message`, the web toasts it. */
  ok?: string
}

type ParamsFor<P extends string> = [PathNames<P>] extends [never]
  ? { params?: never }
  : { params: z.ZodObject<Record<PathNames<P>, z.ZodType>> }

/** Declares one call. Compiles only if the names in the path are the keys of `params`. */
export const call = <const P extends string, const C extends Omit<CallShape, 'path' | 'params'>>(
  shape: C & { path: P } & ParamsFor<P>,
): C & { path: P } & ParamsFor<P> => shape

type Out<S, Fallback> = S extends z.ZodType ? z.output<S> : Fallback
type In<S, Fallback> = S extends z.ZodType ? z.input<S> : Fallback

/** What a handler receives (after parsing). */
export type Input<C extends CallShape> = {
  params: Out<C['params'], Record<string, never>>
  query: Out<C['query'], Record<string, never>>
  body: Out<C['body'], undefined>
}
/** What a caller sends (before parsing); absent parts may be left out. */
export type Sent<C extends CallShape> = {
  [K in 'params' | 'query' | 'body' as C[K] extends z.ZodType ? K : never]: In<C[K], never>
}
/** `data` of a successful answer. */
export type Data<C extends CallShape> = Out<C['response'], undefined>

/** An id that says what it refers to; the tenant matrix finds every id position through `ref`. */
export const id = (ref: string) =>
  z.uuid({ error: ({ input }) => (input === undefined || input === '' ? m.required : m.id) }).meta({ ref })
