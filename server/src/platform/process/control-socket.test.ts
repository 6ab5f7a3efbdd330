import { once } from 'node:events'
import { mkdtempSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { callServer, openControlSocket } from './control-socket.ts'

const folder = mkdtempSync(join(tmpdir(), 'gridmast-door-'))
let left = false
const calls = {
  count: async function* (request: unknown) {
    yield { request }
    yield { n: 2 }
  },
  fail: async function* () {
    yield { n: 1 }
    throw new Error('no such set')
  },
  endless: async function* () {
    try {
      for (;;) {
        yield { n: 0 }
        await setTimeout(5)
      }
    } finally {
      left = true
    }
  },
}
const controlSocket = await openControlSocket(folder, calls, pino({ level: 'silent' }), {
  connections: 3,
  requestBytes: 1000,
  requestMs: 200,
})
afterAll(() => controlSocket.close())

test('a tool receives every answer, and only the owner of the folder may connect', async () => {
  expect(statSync(join(folder, 'operator.sock')).mode & 0o777).toBe(0o600)
  const heard: unknown[] = []
  for await (const one of callServer(folder, 'count', { of: 'FcrDK1' })) heard.push(one)
  expect(heard).toEqual([{ request: { of: 'FcrDK1' } }, { n: 2 }])
})

test('an error is reported after the earlier answers', async () => {
  const heard: unknown[] = []
  await expect(
    (async () => {
      for await (const one of callServer(folder, 'fail', {})) heard.push(one)
    })(),
  ).rejects.toThrow('no such set')
  expect(heard).toEqual([{ n: 1 }])
  for (const unknown of ['nothing', 'toString', 'constructor', '__proto__'])
    await expect(callServer(folder, unknown, {}).next()).rejects.toThrow(`The server has no call ${unknown}`)
})

test('a missing socket is reported in one line with a remedy', async () => {
  await expect(callServer(join(folder, 'nowhere'), 'count', {}).next()).rejects.toThrow(
    /^The server cannot be reached .* Stop it/,
  )
})

test('a disconnected tool ends its call', async () => {
  for await (const one of callServer(folder, 'endless', {})) if (one) break
  await expect.poll(() => left).toBe(true)
})

const bytes = async (text: string) => {
  const socket = connect(join(folder, 'operator.sock'))
  socket.on('error', () => {})
  let said = ''
  socket.on('data', (part) => (said += String(part)))
  const closed = once(socket, 'close')
  socket.write(text)
  await closed
  return said
}

test.each([
  ['a line without an end', 'x'.repeat(2000), 'at most 1000 bytes'],
  ['a nest of lists', `${'['.repeat(900)}\n`, 'nested deeper'],
  ['no JSON', 'hello\n', 'failed'],
  ['another form', '[1, null]\n', 'A request is one line'],
  ['nothing at all', '', ''],
])('%s is refused, and the next tool is served', async (_, text, words) => {
  expect(await bytes(text)).toContain(words)
  expect(await callServer(folder, 'count', {}).next()).toMatchObject({ value: { request: {} } })
})
