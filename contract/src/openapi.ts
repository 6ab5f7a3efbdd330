import { z } from 'zod'
import type { CallShape } from './call.ts'
import { failure, success } from './envelope.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return rest
}

const parameters = (schema: z.ZodObject | undefined, place: 'path' | 'query') =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success, // a shape's values are schemas
    schema: schemaOf(field as z.ZodType, 'input'),
  }))

const content = (schema: Json) => ({ 'application/json': { schema } })

/** A call with an upload accepts a form with the file, or plain JSON without one. */
const requestBody = (call: CallShape & { body: z.ZodType }) => {
  const json = schemaOf(call.body, 'input')
  if (!call.upload) return { required: true, content: content(json) }
  const schema = {
    type: 'object',
    properties: { values: json, [call.upload]: { type: 'string', format: 'binary' } },
    required: ['values'],
  }
  const form = { schema, encoding: { values: { contentType: 'application/json' } } }
  return { required: true, content: { 'multipart/form-data': form, ...content(json) } }
}

const refusals = (call: CallShape) => {
  const ref = { $ref: '#/components/schemas/Failure' }
  const said = (description: string) => ({ description, content: content(ref) })
  return {
    ...(call.params || call.query || call.body ? { 400: said('Invalid input, with a message per field') } : {}),
    ...(call.may === 'public'
      ? {}
      : { 401: said('No or dead token'), 403: said('Refused by role, licence, market or feature') }),
    ...(call.params ? { 404: said('Unknown, or of another customer') } : {}),
    ...(call.upload ? { 413: said('The file is too large') } : {}),
    429: said('Too many requests; see Retry-After'),
    503: said('A part is not available; see Retry-After'),
  }
}

const answered = (call: CallShape) => {
  if (call.answer === 'events')
    return { description: call.summary, content: { 'text/event-stream': { schema: { type: 'string' } } } }
  if (call.answer === 'html')
    return { description: call.summary, content: { 'text/html': { schema: { type: 'string' } } } }
  return {
    description: call.ok ?? 'Answered',
    content: content(schemaOf(success(call.response ?? z.null()), 'output')),
  }
}

const operation = (name: string, call: CallShape) => ({
  operationId: name,
  summary: call.summary,
  tags: [call.path.split('/').find((part) => part && part !== 'client' && part !== 'data') ?? 'other'],
  security: call.may === 'public' ? [] : [{ token: [] }],
  'x-may': call.may,
  ...(call.params || call.query
    ? { parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query')] }
    : {}),
  ...(call.body ? { requestBody: requestBody({ ...call, body: call.body }) } : {}),
  responses: { 200: answered(call), ...refusals(call) },
})

export const openApiDocument = (calls: Record<string, CallShape>, version: string) => {
  const paths: Record<string, Json> = {}
  for (const [name, call] of Object.entries(calls)) {
    const path = (paths[call.path] ??= {})
    path[call.method.toLowerCase()] = operation(name, call)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gridmast', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: schemaOf(failure, 'output') },
    },
  }
}
export type OpenApiDocument = ReturnType<typeof openApiDocument>
