import multipart from '@fastify/multipart'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { invalid, Refusal } from './errors.ts'
import { parseJson } from './parse-json.ts'

export type Upload = { bytes: Buffer; name: string }

/** One field and one file are allowed; reading one more of each lets the refusal name it. */
const formLimits = {
  fileSize: limits.imageBytes,
  fieldSize: 64 * 1024,
  fieldNameSize: 100,
  files: 2,
  fields: 2,
  parts: 4,
}

/** Only routes of this scope accept multipart; all other calls answer 415. */
export const acceptMultipart = (scope: FastifyInstance) => scope.register(multipart, { limits: formLimits })

const unknown = (name: string) => invalid({ [name]: `Unknown field: ${name}` })
const tooLarge = (field: string) => {
  const words = field === 'file' ? m.fileTooLarge : m.imageTooLarge
  return new Refusal(413, words, { errors: { [field]: words } })
}

const jsonOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value // parts of type application/json are parsed already
  try {
    return parseJson(value)
  } catch {
    throw invalid({ values: m.invalidInput })
  }
}

/** The form field `values` as JSON and at most one file in the field `upload` (security rule L1). */
const readForm = async (request: FastifyRequest, upload: string) => {
  let body: unknown
  let file: Upload | null = null
  const fileSize = upload === 'file' ? limits.tableBytes : limits.imageBytes
  for await (const part of request.parts({ limits: { ...formLimits, fileSize } })) {
    const isExpected =
      part.type === 'file' ? part.fieldname === upload && !file : part.fieldname === 'values' && body === undefined
    if (part.type === 'file' && !isExpected) part.file.resume()
    if (!isExpected) throw unknown(part.fieldname)
    if (part.type === 'file') file = { bytes: await part.toBuffer(), name: part.filename }
    else if (part.valueTruncated) throw new Refusal(413, m.tooLarge)
    else body = jsonOf(part.value)
  }
  if (body === undefined) throw invalid({ values: m.required })
  return { body, file }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

export const readBody = async (
  request: FastifyRequest,
  upload: string | undefined,
): Promise<{ body: unknown; file: Upload | null }> => {
  if (!upload || !request.isMultipart()) return { body: request.body ?? undefined, file: null }
  try {
    return await readForm(request, upload)
  } catch (error) {
    if (error instanceof Refusal) throw error
    // Parser errors are about the request: aborted, no boundary, too many parts.
    throw codeOf(error) === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge(upload) : new Refusal(400, m.invalidInput)
  }
}

const signals = new WeakMap<ServerResponse, AbortSignal>()

/** Aborts when the caller disconnects. */
export const abortSignalOf = ({ raw }: FastifyReply): AbortSignal => {
  const known = signals.get(raw)
  if (known) return known
  const controller = new AbortController()
  if (raw.closed) controller.abort()
  else raw.once('close', () => controller.abort())
  signals.set(raw, controller.signal)
  return controller.signal
}
