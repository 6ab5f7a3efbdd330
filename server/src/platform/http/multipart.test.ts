import { call } from '@gridmast/contract/call.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { openApiDocument } from '@gridmast/contract/openapi.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openBareHttp } from '#testing/bare-http.ts'
import { makeRoute } from './route.ts'

const shape = { method: 'PUT', summary: 'x', may: 'public', body: z.strictObject({ name: z.string() }) } as const
const takesPicture = call({ ...shape, path: '/picture', upload: 'picture' })
const plain = call({ ...shape, path: '/plain' })

const route = makeRoute<null, string>()
const http = await openBareHttp({
  routes: [
    route(takesPicture, ({ body, file, reply }) => {
      void reply.send({ ...body, file: file && { name: file.name, size: file.bytes.length } })
      return Promise.resolve({ taken: true as const })
    }),
    route(plain, () => Promise.resolve(undefined)),
  ],
})
afterAll(() => http.close())

type Part = [field: string, value: string | Blob, fileName?: string]
const send = async (url: string, parts: Part[]) => {
  const form = new FormData()
  for (const [field, value, fileName] of parts)
    if (typeof value === 'string') form.append(field, value)
    else form.append(field, value, fileName)
  const written = new Response(form)
  const answer = await http.inject({
    method: 'PUT',
    url: `/api${url}`,
    headers: { 'content-type': written.headers.get('content-type') ?? '' },
    payload: Buffer.from(await written.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}
const values: Part = ['values', '{"name":"Mads"}']
const picture = (bytes: number, field = 'picture'): Part => [field, new Blob([new Uint8Array(bytes)]), 'me.png']

describe('a call with an upload', () => {
  test.each([
    ['values first', [values, picture(3)]],
    ['the file first', [picture(3), values]],
    ['values as a JSON part', [['values', new Blob(['{"name":"Mads"}'], { type: 'application/json' })], picture(3)]],
  ] as [string, Part[]][])('a form with a file is accepted: %s', async (name, parts) => {
    // A JSON part sent as a Blob has a file name and counts as a file of another field.
    const expected =
      name === 'values as a JSON part'
        ? { status: 400, body: { success: false, message: 'Unknown field: values', errors: expect.anything() } }
        : { status: 200, body: { name: 'Mads', file: { name: 'me.png', size: 3 } } }
    expect(await send('/picture', parts)).toEqual(expected)
  })

  test('a form and JSON without a file are accepted', async () => {
    expect((await send('/picture', [values])).body).toEqual({ name: 'Mads', file: null })
    const answer = await http.inject({ method: 'PUT', url: '/api/picture', payload: { name: 'Mads' } })
    expect(answer.json()).toEqual({ name: 'Mads', file: null })
  })

  test('L1 a file of 2 MB is accepted, one more byte is refused', async () => {
    expect((await send('/picture', [values, picture(limits.imageBytes)])).status).toBe(200)
    expect(await send('/picture', [values, picture(limits.imageBytes + 1)])).toEqual({
      status: 413,
      body: { success: false, message: m.imageTooLarge, errors: { picture: m.imageTooLarge } },
    })
  })

  test.each([
    ['a file in another field', [values, picture(3, 'other')], 'other'],
    ['two files', [values, picture(3), picture(3)], 'picture'],
    ['another field', [values, ['more', 'x']], 'more'],
    ['values twice', [values, values], 'values'],
  ] as [string, Part[], string][])('R3 %s is refused by its name', async (_, parts, field) => {
    const message = `Unknown field: ${field}`
    expect(await send('/picture', parts)).toEqual({
      status: 400,
      body: { success: false, message, errors: { [field]: message } },
    })
  })

  test.each([
    ['values that are no JSON', '{"name":', { values: m.invalidInput }],
    ['unknown keys', '{"name":"x","role":"sudoer"}', { role: 'Unknown field: role' }],
    ['values without the required field', '{}', { name: m.required }],
  ])('R3 %s are refused', async (_, text, errors) => {
    expect(await send('/picture', [['values', text], picture(3)])).toMatchObject({ status: 400, body: { errors } })
  })

  test('missing, too deep and too long values are refused', async () => {
    expect((await send('/picture', [picture(3)])).status).toBe(400)
    expect((await send('/picture', [['values', `${'['.repeat(30)}${']'.repeat(30)}`]])).status).toBe(400)
    expect((await send('/picture', [['values', JSON.stringify({ name: 'x'.repeat(70_000) })]])).status).toBe(413)
  })

  test.each([
    ['broken off', 'multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="values"\r\n\r\n{'],
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'a file broken off',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="picture"; filename="a.png"\r\n\r\n\u0089PNG',
    ],
  ])('a form %s is a 400', async (_, type, payload) => {
    const answer = await http.inject({ method: 'PUT', url: '/api/picture', headers: { 'content-type': type }, payload })
    expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({
      status: 400,
      body: { success: false, message: m.invalidInput },
    })
  })
})

test('a call without an upload refuses a form', async () => {
  expect(await send('/plain', [values])).toEqual({
    status: 415,
    body: { success: false, message: m.unsupportedMedia },
  })
})

test('OpenAPI documents the form alongside JSON', () => {
  const { paths } = openApiDocument({ takesPicture, plain }, '1')
  const content = (path: string) => {
    const operation = paths[path]?.['put'] as { requestBody: { content: object } } | undefined // printed above
    return Object.keys(operation?.requestBody.content ?? {})
  }
  expect(content('/picture')).toEqual(['multipart/form-data', 'application/json'])
  expect(content('/plain')).toEqual(['application/json'])
})
