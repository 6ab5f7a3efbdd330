import type { CallShape } from '@gridmast/contract/call.ts'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf, type GoodTokens, clearTicket, setTicket, ticketOf } from './admission.ts'
import { forbidden, invalid, Refusal } from './errors.ts'
import { abortSignalOf, readBody } from './multipart.ts'
import { answersFile, limitPerUser, requestsFile } from './limits.ts'
import { documentHeaders, drawDocument } from '#platform/files/document.ts'
import { isFileOrReply, hasMessage, readInput, type BoundRoute, type FileOrReply, type Own } from './route.ts'
import { keptHeaders, tableHeaders, tableStream } from '#platform/files/table-file.ts'
import { isToken } from '#platform/security/token.ts'

export type CallOptions<Context, Viewer> = {
  context: Context
  authenticate: (token: string) => Promise<Viewer | null>
  tickets: {
    add: (viewer: Viewer, file: { url: string; body: unknown }, nowMs: number) => Promise<string>
    use: (ticket: string, url: string, nowMs: number) => Promise<{ viewer: Viewer; body?: unknown } | null>
  }
  /** Public address; cookies are `Secure` when it is HTTPS. */
  publicUrl?: string | undefined
  refuse: (viewer: Viewer, call: CallShape, isFile: boolean) => string | null
  ownOf: (viewer: Viewer, at: { requestId: string; nowMs: number; signal?: AbortSignal | undefined }) => Own
  /** Keys for the limit of one file per user and for the queue per company. */
  userOf: (viewer: Viewer) => string
  companyOf: (viewer: Viewer) => string
  now: () => number
  changed: () => void
  goodTokens: GoodTokens
}

export const bindRoute = <Context, Viewer>(
  http: FastifyInstance,
  bound: BoundRoute,
  options: CallOptions<Context, Viewer>,
): void => {
  const { call, handle } = bound
  http.route({
    // A browser link can only GET; the ticket holds the body of a call that has one.
    method: call.method !== 'GET' && answersFile(call) ? [call.method, 'GET'] : call.method,
    url: `/api${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: call.may === 'public' ? limits.publicBodyBytes : limits.bodyBytes,
    handler: async (request, reply) => {
      const ticket = call.may === 'public' ? undefined : ticketOf(request)
      if (ticket === undefined && isUnsignedLink(call, request)) throw new Refusal(404, m.fileLinkEnded)
      const ticketed = ticket === undefined ? null : await useTicket(ticket, reply, options)
      const viewer = ticketed?.viewer ?? (call.may === 'public' ? null : await viewerOf(request, options))
      const refused = viewer && options.refuse(viewer, call, requestsFile(call, request.query as object)) // as in `isUnsignedLink`
      if (refused) throw forbidden(refused)
      const { body, file } = ticketed ? { body: ticketed.body, file: null } : await readBody(request, call.upload)
      checkSize(body)
      const input = readInput(call, request, body)
      const at = { requestId: request.id, nowMs: options.now() }
      const signal = requestsFile(call, input.query) ? abortSignalOf(reply) : undefined
      const own = viewer && options.ownOf(viewer, { ...at, signal })
      const handlerInput = { ...input, file, app: options.context, viewer, ...at, ...own, request, reply }
      const work = async () => {
        const answer = await handle(handlerInput as never) // route() bound the handler to the types of this call
        if (call.method !== 'GET') options.changed()
        if (!isFileOrReply(answer)) return { answer }
        if ('taken' in answer) return null
        if (viewer && request.headers[ticketHeader] !== undefined) {
          const issued = await options.tickets.add(viewer, { url: request.url, body }, at.nowMs)
          options.goodTokens.add(issued, options.userOf(viewer))
          setTicket(reply, issued, request.protocol === 'https' || (options.publicUrl?.startsWith('https:') ?? false))
          void reply.send({ success: true, data: null })
          return null
        }
        const company = viewer ? options.companyOf(viewer) : ''
        await sendFile(answer, { query: input.query, own, company }, reply)
        return null
      }
      const result = await (viewer
        ? limitPerUser({ call, query: input.query, userId: options.userOf(viewer), reply }, work)
        : work())
      if (!result) return reply
      const { answer } = result
      if (formatOf(input.query)) throw new Error(`${call.path} answered a request for a file without one`)
      const { message, data } = hasMessage(answer) ? answer : { message: call.ok, data: answer }
      return { success: true, ...(message ? { message } : {}), data: data ?? null }
    },
  })
}

/** The link of a file, opened in a tab without its ticket: used before, copied to another browser, or too late. */
const isUnsignedLink = (call: CallShape, request: FastifyRequest): boolean =>
  call.may !== 'public' &&
  request.method === 'GET' &&
  request.headers.authorization === undefined &&
  (request.headers.accept?.includes('text/html') ?? false) &&
  requestsFile(call, request.query as object) // an object in Fastify, of unknown keys

const formatOf = (query: { format?: FileFormat }): FileFormat | undefined => query.format

/** Every file is on the audit trail before it is sent (security rule C4). */
const sendFile = async (
  answer: Exclude<FileOrReply, { taken: true }>,
  { query, own, company }: { query: object; own: Own | null; company: string },
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const fileName = 'kept' in answer ? answer.kept.name : ('file' in answer ? answer.file : answer.document).fileName
  await own?.own((tx) => own.audit(tx, 'export', fileName))
  if ('kept' in answer) return reply.headers(keptHeaders(fileName)).send(answer.kept.content)
  if ('document' in answer) {
    const { document } = answer
    return reply.headers(documentHeaders(document)).send(await drawDocument(company, document, abortSignalOf(reply)))
  }
  const { file } = answer
  const format = formatOf(query) ?? 'xlsx'
  return reply.headers(tableHeaders(file, format)).send(tableStream(file, format))
}

/** The viewer and body of a ticket, valid once and at its own address only. */
const useTicket = async <Context, Viewer>(
  ticket: string,
  reply: FastifyReply,
  options: CallOptions<Context, Viewer>,
) => {
  clearTicket(reply)
  options.goodTokens.remove(ticket)
  const owner = await options.tickets.use(ticket, reply.request.url, options.now())
  if (!owner) throw new Refusal(404, m.fileLinkEnded)
  return owner
}

const viewerOf = async <Context, Viewer>(request: FastifyRequest, options: CallOptions<Context, Viewer>) => {
  const token = bearerOf(request)
  if (!token || !isToken(token)) throw new Refusal(401, m.jwtMalformed)
  const viewer = await options.authenticate(token)
  if (!viewer) {
    options.goodTokens.remove(token)
    throw new Refusal(401, m.sessionEnded)
  }
  options.goodTokens.add(token, options.userOf(viewer))
  return viewer
}

/** Refuses too many values or levels before any schema runs; the walk stops at the limit. */
const checkSize = (body: unknown): void => {
  let values = 0
  const walk = (value: unknown, depth: number) => {
    if (++values > limits.jsonValues) throw invalid({ '': m.tooManyValues(limits.jsonValues) })
    if (typeof value !== 'object' || value === null) return
    if (depth >= limits.jsonDepth) throw invalid({ '': m.tooDeep(limits.jsonDepth) })
    // `in` creates no list of possibly a million keys, and parsed JSON has no inherited ones.
    for (const key in value) walk((value as Record<string, unknown>)[key], depth + 1)
  }
  walk(body, 0)
}
