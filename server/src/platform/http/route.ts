import type { AuditAction } from '@gridmast/contract/people/audit.ts'
import type { CallShape, Data, Input } from '@gridmast/contract/call.ts'
import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AuditEntry } from '#platform/records/audit.ts'
import { invalid } from './errors.ts'
import type { Upload } from './multipart.ts'
import type { ReadRows } from '#platform/records/read-cache.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Document } from '#platform/files/document.ts'
import type { TableFile } from '#platform/files/table-file.ts'

/**
 * An answer other than `data`: a table in the requested format or a document, both on the audit trail; a stored file, unchanged; or `taken`
 * when the handler has taken over the reply (stream, page).
 */
export type FileOrReply = { file: TableFile } | { document: Document } | { kept: KeptFile } | { taken: true }

type KeptFile = { name: string; content: string }

export type WithMessage<D> = { message: string; data: D }

export type Own = {
  /** One transaction on the rows of the viewer's customer only (security rules T1, T2). */
  own: <T>(work: ReadRows<T>) => Promise<T>
  /** Cached rows up to 0.9 s old, shared by the calls of one screen; never for a read before a change. */
  readCached: <T, Of extends unknown[]>(read: ReadRows<T, Of>, ...of: Of) => Promise<T>
  /** Appends to the audit trail of the customer, in the transaction of the change (security rule C4). */
  audit: (
    tx: Tx,
    action: AuditAction,
    subject: string,
    change?: Pick<AuditEntry, 'before' | 'after' | 'result'>,
  ) => Promise<void>
}

export type HandlerInput<C extends CallShape, Context, Viewer> = Input<C> & {
  app: Context
  file: C extends { upload: string } ? Upload | null : null
  nowMs: number
  requestId: string
  request: FastifyRequest
  reply: FastifyReply
} & (C['may'] extends 'public' ? { viewer: null } : { viewer: Viewer } & Own)

export type HandlerAnswer<C extends CallShape> =
  | Data<C>
  | FileOrReply
  | WithMessage<Data<C>>
  | (Data<C> extends undefined ? void : never)

export type BoundRoute = {
  call: CallShape
  // The list of routes has no common type for the calls; route() binds each handler to its own.
  handle: (input: never) => Promise<unknown>
}

export const makeRoute =
  <Context, Viewer>() =>
  <C extends CallShape>(
    call: C,
    handle: (input: HandlerInput<C, Context, Viewer>) => Promise<HandlerAnswer<C>>,
  ): BoundRoute => ({
    call,
    handle,
  })

/** A route whose handler is one transaction of the viewer's customer. */
export const makeOwnRoute =
  <Context, Viewer>() =>
  <C extends CallShape & { may: Exclude<CallShape['may'], 'public'> }>(
    call: C,
    handle: (tx: Tx, customerId: string, input: HandlerInput<C, Context, Viewer>) => Promise<HandlerAnswer<C>>,
  ): BoundRoute => ({
    call,
    handle: (input: HandlerInput<C, Context, Viewer> & Own) =>
      input.own((tx, customerId) => handle(tx, customerId, input)),
  })

export const isFileOrReply = (answer: unknown): answer is FileOrReply =>
  typeof answer === 'object' && answer !== null && ['file', 'document', 'kept', 'taken'].some((kind) => kind in answer)

export const hasMessage = (answer: unknown): answer is WithMessage<unknown> =>
  typeof answer === 'object' &&
  answer !== null &&
  'message' in answer &&
  'data' in answer &&
  Object.keys(answer).length === 2

const parsed = (schema: z.ZodType | undefined, value: unknown): unknown => {
  if (!schema) return undefined
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw invalid(fieldErrors(read.error))
}

export const readInput = (call: CallShape, request: Pick<FastifyRequest, 'params' | 'query'>, body: unknown) => ({
  params: parsed(call.params, request.params) ?? {},
  query: parsed(call.query, request.query) ?? {},
  body: parsed(call.body, body),
})
