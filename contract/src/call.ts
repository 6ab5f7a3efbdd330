import './zod-words.ts'
import { z } from 'zod'
import { m } from './messages.ts'
import type { CapabilityName } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never

/** A JSON envelope, a server-sent-event stream, or a page. */
export type Answer = 'json' | 'events' | 'html'

/** Kinds of data that calls change or show: after a call, all queries with one of its `touches` in `of` are refetched. */
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
  'edge',
  'email-subscription',
  'equipment',
  'instance',
  'load-plan',
  'meter',
  'note',
  'payment',
  'payment-account',
  'profile',
  'push-device',
  'reconciliation',
  'report',
  'saved-view',
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
  /** One line for OpenAPI and /api/docs: the result for the caller. */
  summary: string
  /** A capability of roles.ts, or 'public' for calls without a session; the server does not start with a call without it. */
  may: CapabilityName | 'public'
  touches?: readonly Thing[]
  of?: readonly Thing[]
  params?: z.ZodObject
  query?: z.ZodObject
  /** The values of `sort` in the query, for a page without schemas. */
  sorts?: readonly string[]
  body?: z.ZodObject
  response?: z.ZodType
  answer?: Answer
  /** Name of an optional file field of a multipart body, whose form field `values` has `body` as JSON. */
  upload?: string
  /** Also allowed for a session that must first change its password or set up its second factor, or only for the named case. */
  restricted?: true | 'password' | 'second-factor'
  /** Also allowed for the session of a wall screen, without files. */
  wall?: true
  ok?: string
}

type ParamsFor<P extends string> = [PathNames<P>] extends [never]
  ? { params?: never }
  : { params: z.ZodObject<Record<PathNames<P>, z.ZodType>> }

/** Compiles only if the names in the path are the keys of `params`. */
export const call = <const P extends string, const C extends Omit<CallShape, 'path' | 'params'>>(
  shape: C & { path: P } & ParamsFor<P>,
): C & { path: P } & ParamsFor<P> => shape

type Out<S, Fallback> = S extends z.ZodType ? z.output<S> : Fallback
type In<S, Fallback> = S extends z.ZodType ? z.input<S> : Fallback

export type Input<C extends CallShape> = {
  params: Out<C['params'], Record<string, never>>
  query: Out<C['query'], Record<string, never>>
  body: Out<C['body'], undefined>
}
export type Sent<C extends CallShape> = {
  [K in 'params' | 'query' | 'body' as C[K] extends z.ZodType ? K : never]: In<C[K], never>
}
export type Data<C extends CallShape> = Out<C['response'], undefined>

/** `ref` names the referenced entity; the tenant matrix finds every id position through it. */
export const id = (ref: string) =>
  z.uuid({ error: ({ input }) => (input === undefined || input === '' ? m.required : m.id) }).meta({ ref })
