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
 * What a handler answers instead of `data`: a table, which the frame writes in the format asked for, or a document; either is put on the
 * audit trail. Or a file that is kept as it was sent. Or nothing more because it took the reply over (a stream, a page).
 */
export type Instead = { file: TableFile } | { document: Document } | { kept: KeptFile } | { taken: true }

/** `name` with its ending. */
type KeptFile = { name: string; content: string }

/** Answers with the call's data and a message of its own instead of the call's `ok`. */
export type Said<D> = { message: string; data: D }

/** What every handler with a viewer has of the viewer's own customer. */
export type Own = {
  /** One transaction that sees the rows of the viewer's customer and no others (security rules T1, T2). */
  own: <T>(work: ReadRows<T>) => Promise<T>
  /** Rows of it as some call of the last 0.9 s found them, for what each chart of a screen asks first. Never before a change. */
  recall: <T, Of extends unknown[]>(read: ReadRows<T, Of>, ...of: Of) => Promise<T>
  /** Appends to the customer's audit trail, in the transaction of the change itself (security rule C4). */
  audit: (
    tx: Tx,
    action: AuditAction,
    subject: string,
    change?: Pick<AuditEntry, 'before' | 'after' | 'result'>,
  ) => Promise<void>
}

export type Ask<C extends CallShape, Context, Viewer> = Input<C> & {
  app: Context
  /** The file of a call with `upload`, where one came. */
  file: C extends { upload: string } ? Upload | null : null
  /** When the request came: one instant for all that it does. */
  nowMs: number
  requestId: string
  request: FastifyRequest
  reply: FastifyReply
} & (C['may'] extends 'public' ? { viewer: null } : { viewer: Viewer } & Own)

export type Answered<C extends CallShape> =
  | Data<C>
  | Instead
  | Said<Data<C>>
  | (Data<C> extends undefined ? void : never)

export type BoundRoute = {
  call: CallShape
  // Each route is bound to its own call's types by route(); the list of all routes can only name what they share.
  handle: (ask: never) => Promise<unknown>
}

/** Binds a handler to its call; the types of what comes in and goes out are the call's. */
export const makeRoute =
  <Context, Viewer>() =>
  <C extends CallShape>(call: C, handle: (ask: Ask<C, Context, Viewer>) => Promise<Answered<C>>): BoundRoute => ({
    call,
    handle,
  })

export const isInstead = (answer: unknown): answer is Instead =>
  typeof answer === 'object' && answer !== null && ['file', 'document', 'kept', 'taken'].some((kind) => kind in answer)

export const isSaid = (answer: unknown): answer is Said<unknown> =>
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

/** Checks what came in against the call; a part that does not fit is a 400 with a message per field. */
export const readInput = (call: CallShape, request: FastifyRequest, body: unknown) => ({
  params: parsed(call.params, request.params) ?? {},
  query: parsed(call.query, request.query) ?? {},
  body: parsed(call.body, body),
})
