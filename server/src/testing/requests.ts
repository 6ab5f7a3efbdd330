import { request as send, type Agent } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { CallShape } from '@gridmast/contract/call.ts'
import { hostileValue, jsonSchema, nearly, validFor } from '@gridmast/contract/testing/samples.ts'
import fc from 'fast-check'

/** Random requests from the schemas of a call: as from a browser, a careless client or an attacker. */

export type Request = {
  who: string
  params: unknown
  query: unknown
  body: unknown
  /** For a call with an upload; without it the body is sent as JSON. */
  file: Uint8Array | undefined
}

type Entries = [string, unknown][]
const entriesOf = (value: unknown): Entries =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

const pathText = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed())

/** A lone surrogate is sent as the bytes that UTF-8 forbids. */
const queryText = (value: unknown): string => {
  const given = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return given
    .split(/(\p{Cs})/u)
    .map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('')
}

export const pathOf = (call: CallShape, { params, query }: Request): string => {
  const values = new Map(entriesOf(params))
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathText(values.get(name) ?? ''))
  const pairs = entriesOf(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => [value].flat().map((one) => `${queryText(key)}=${queryText(one)}`))
  return `/api${path}${pairs.length > 0 ? `?${pairs.join('&').slice(0, 12_000)}` : ''}`
}

const partOf = (schema: CallShape['query'], idsOf: (ref: string) => readonly string[]): fc.Arbitrary<unknown> => {
  if (!schema) return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: hostileValue })
  const valid = validFor(jsonSchema(schema), '', idsOf)
  return fc.oneof(
    { weight: 5, arbitrary: valid },
    { weight: 4, arbitrary: nearly(valid) },
    { weight: 1, arbitrary: hostileValue },
  )
}

/** Header rows of importable tables by path prefix. */
const heads: [string, string][] = [
  ['/client/data/bid-request', 'Instance;Market;Start date;End date;Note'],
  ['', 'Name;Tag ID;Group;Active'],
]
/** Random bytes, and a table in a spreadsheet's format. */
const fileFor = ({ path }: CallShape) => {
  const head = heads.find(([start]) => path.startsWith(start))?.[1] ?? ''
  const rows = fc.array(fc.array(fc.string({ maxLength: 12 }), { maxLength: 4 }), { maxLength: 5 })
  const table = rows.map((cells) => Buffer.from([head, ...cells.map((row) => row.join(';'))].join('\r\n')))
  return fc.option(fc.oneof(fc.uint8Array({ maxLength: 400 }), table), { nil: undefined, freq: 4 })
}

export const requestOf = (
  call: CallShape,
  callers: readonly string[],
  idsOf: (ref: string) => readonly string[],
): fc.Arbitrary<Request> =>
  fc.record({
    who: fc.oneof(
      { weight: 2, arbitrary: fc.constant(callers[0] ?? '') },
      { weight: 1, arbitrary: fc.constantFrom(...callers) },
    ),
    params: partOf(call.params, idsOf),
    query: partOf(call.query, idsOf),
    body: partOf(call.body, idsOf),
    file: call.upload ? fileFor(call) : fc.constant(undefined),
  })

export type Answer = {
  status: number
  type: string
  headers: Record<string, unknown>
  bytes: Buffer
  sentBytes: number
}

const boundary = 'gridmast-fuzz'

const contentOf = (call: CallShape, { body, file: given }: Request) => {
  const text = JSON.stringify(body)
  if (given === undefined)
    return call.method === 'GET' && body === undefined
      ? null
      : { type: 'application/json', bytes: Buffer.from(text ?? '') }
  const head = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([
      Buffer.from(`${head('values')}\r\n\r\n${text ?? ''}\r\n${head(call.upload ?? '')}; filename="a.csv"\r\n\r\n`),
      given,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}

/** Sends a request over a connection. For an event stream the first bytes are the answer; a timeout is an error. */
export const sendTo = (
  to: { port: number; agent: Agent; patienceMs: number },
  call: CallShape,
  request: Request,
  token: string | undefined,
  takesPacked = false,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const content = contentOf(call, request)
    const asked = send({
      host: '127.0.0.1',
      port: to.port,
      agent: to.agent,
      method: call.method,
      path: pathOf(call, request),
      signal: AbortSignal.timeout(to.patienceMs),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(takesPacked && { 'accept-encoding': 'gzip' }),
        ...(content && { 'content-type': content.type, 'content-length': content.bytes.length }),
      },
    })
    asked.once('error', reject)
    asked.once('response', (answer) => {
      const parts: Buffer[] = []
      const type = answer.headers['content-type'] ?? ''
      const done = () => {
        const sent = Buffer.concat(parts)
        const { statusCode = 0, headers } = answer
        const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
        resolve({ status: statusCode, type, headers, bytes, sentBytes: sent.length })
      }
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        if (type.startsWith('text/event-stream')) answer.destroy()
      })
      answer.once('close', done)
      answer.once('error', reject)
    })
    asked.end(content?.bytes)
  })
