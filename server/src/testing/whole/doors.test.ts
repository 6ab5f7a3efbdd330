import { limits } from '@gridmast/contract/limits.ts'
import { call } from '@gridmast/contract/call.ts'
import { longText } from '@gridmast/contract/fields.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '#platform/http/parse-json.ts'
import { readTable } from '#platform/files/read-table.ts'
import { makeRoute } from '#platform/http/route.ts'
import { packZip, unpackZip } from '#platform/files/zip.ts'
import { readFrame } from '#protocols/ocpp/frames.ts'
import { openBareHttp } from '#testing/bare-http.ts'

// Each entry point of docs/architecture.md with its own parser, with input that has ended servers elsewhere.

const body = z.strictObject({ name: longText })
const shape = { method: 'POST', summary: 'A door', response: z.null() } as const
const plain = call({ ...shape, path: '/plain', may: 'public', body })
const form = call({ ...shape, path: '/form', may: 'public', body, upload: 'file' })
const route = makeRoute<null, string>()
const nothing = () => Promise.resolve(null)

const http = await openBareHttp({ routes: [route(plain, nothing), route(form, nothing)] })
afterAll(() => http.close())

const post = async (url: string, payload: string | Buffer, type: string) => {
  const answer = await http.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
  return answer.statusCode
}
const postForm = async (values: string) => {
  const data = new FormData()
  data.append('values', values)
  const written = new Response(data)
  const bytes = Buffer.from(await written.arrayBuffer())
  return post('/api/form', bytes, written.headers.get('content-type') ?? '')
}
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const names = ['__proto__', 'constructor', 'toString']

describe.each([20, 8000])('L1 JSON nested %i deep', (depth) => {
  const text = `{"name":${nested(depth)}}`
  const frame = (start: string) => readFrame(`[${start},${nested(depth)}]`).kind

  test('L1 calls and forms refuse it', async () => {
    expect(await post('/api/plain', text, 'application/json')).toBe(400)
    expect(await postForm(text)).toBe(400)
  })

  test('L1 charger sockets and edge topics refuse it', () => {
    for (const start of ['2,"1","Heartbeat"', '3,"1"', '4,"1","",""']) expect(frame(start)).toBe('broken')
    expect(() => parseJson(text)).toThrow('nested deeper')
  })
})

test('L1 names of Object.prototype are refused as fields, files and frame types', async () => {
  for (const name of names) {
    expect(await post('/api/plain', `{"name":"a","${name}":1}`, 'application/json')).toBe(400)
    expect(await postForm(`{"name":"a","${name}":1}`)).toBe(400)
    expect(readFrame(`["${name}","1","2",{}]`).kind).toBe('broken')
    const zip = unpackZip(packZip(new Map([[name, Buffer.from('a')]])), {
      maxFiles: 1,
      maxBytes: 1,
      isIncluded: () => true,
    })
    expect([...zip.keys()]).toEqual([name])
  }
})

test('L1 one byte beyond the limit of a body is refused before it is read', async () => {
  const tooLong = `{"name":"${'a'.repeat(limits.publicBodyBytes)}"}`
  expect(await post('/api/plain', tooLong, 'application/json')).toBe(413)
})

test('L1 a file that is neither a sheet nor text is refused with a message', async () => {
  const given = [Buffer.from('PK\u0003\u0004'), Buffer.from([0, 1, 2]), Buffer.from(`PK\u0003\u0004${'x'.repeat(100)}`)]
  for (const bytes of given)
    await expect(readTable('north', { name: 'a.xlsx', bytes }, { most: 10, columns: 10 })).rejects.toMatchObject({
      status: 400,
    })
})
