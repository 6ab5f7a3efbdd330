import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Log } from './log.ts'
import { parseJson } from '#platform/http/parse-json.ts'

type ControlCalls = Record<string, (request: unknown) => AsyncIterable<object>>

const pathOf = (dataDir: string) => join(dataDir, 'operator.sock')

type ControlLimits = { connections: number; requestBytes: number; requestMs: number }
/** Sized for the longest request, a file of customers. */
const defaultLimits: ControlLimits = { connections: 20, requestBytes: 32 * 2 ** 20, requestMs: 10_000 }

const readLine = async (socket: Socket, { requestBytes, requestMs }: ControlLimits): Promise<string | null> => {
  const chunks: Buffer[] = []
  let length = 0
  const timer = setTimeout(() => socket.destroy(new Error('no request')), requestMs)
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > requestBytes) throw new Error(`A request has at most ${requestBytes} bytes.`)
      if (chunk.includes('\n')) return Buffer.concat(chunks).toString().split('\n')[0] ?? ''
    }
    return null
  } finally {
    clearTimeout(timer)
  }
}

const isRequest = (value: unknown): value is { call: string; request: unknown } =>
  typeof value === 'object' && value !== null && 'call' in value && typeof value.call === 'string' && 'request' in value

const answer = async (socket: Socket, calls: ControlCalls, limits: ControlLimits) => {
  const line = await readLine(socket, limits)
  if (line === null) return
  const parsed = parseJson(line)
  if (!isRequest(parsed)) throw new Error('A request is one line: {"call": …, "request": …}')
  const { call, request } = parsed
  const answers = Object.hasOwn(calls, call) && calls[call]?.(request)
  if (!answers) throw new Error(`The server has no call ${call}. It may run another version; restart it.`)
  for await (const one of answers) {
    if (socket.destroyed) return
    if (!socket.write(`${JSON.stringify(one)}\n`)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
}

/**
 * A socket in the data folder, readable by its owner only, for the operator's tools while the server has the embedded stores open. A request
 * is one line of JSON, and so is each answer. Where the path is too long for a socket, the server runs without one.
 */
export const openControlSocket = async (
  dataDir: string,
  calls: ControlCalls,
  log: Log,
  limits: ControlLimits = defaultLimits,
): Promise<{ close: () => void }> => {
  const path = pathOf(dataDir)
  rmSync(path, { force: true }) // the data folder is locked, so the process that created it has ended
  const server = createServer((socket) => {
    socket.on('error', () => {}) // the tool has ended
    answer(socket, calls, limits)
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        if (!socket.destroyed) socket.write(`${JSON.stringify({ failed: message })}\n`)
      })
      .finally(() => socket.end())
  }).unref()
  server.maxConnections = limits.connections
  try {
    const umask = process.umask(0o177) // this call creates the file, so other users never have access
    server.listen(path)
    process.umask(umask)
    await once(server, 'listening')
  } catch (error) {
    log.warn({ err: error, path }, 'no control socket: tools cannot reach this server')
  }
  return { close: () => server.close() }
}

/** Whether a server listens for this data folder; a stopping server has closed its socket. */
export const isServerListening = (dataDir: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(pathOf(dataDir), () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

export const callServer = async function* (dataDir: string, call: string, request: object): AsyncGenerator {
  const socket = connect(pathOf(dataDir))
  await once(socket, 'connect').catch(() => {
    throw new Error(`The server cannot be reached through ${pathOf(dataDir)}. Stop it while this command runs.`)
  })
  socket.write(`${JSON.stringify({ call, request })}\n`)
  try {
    for await (const line of createInterface({ input: socket })) {
      const message: unknown = JSON.parse(line)
      if (typeof message === 'object' && message !== null && 'failed' in message)
        throw new Error(String(message.failed))
      yield message
    }
  } finally {
    socket.destroy()
  }
}
