import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Log } from './log.ts'
import { parseJson } from '#platform/http/parse-json.ts'

/** Calls of the operator's tools; answers are streamed. */
type DoorCalls = Record<string, (request: unknown) => AsyncIterable<object>>

const pathOf = (dataDir: string) => join(dataDir, 'operator.sock')

type DoorLimits = { connections: number; requestBytes: number; requestMs: number }
/** Sized for the longest request, a file of customers. */
const usualLimits: DoorLimits = { connections: 20, requestBytes: 32 * 2 ** 20, requestMs: 10_000 }

const readLine = async (socket: Socket, { requestBytes, requestMs }: DoorLimits): Promise<string | null> => {
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

const answer = async (socket: Socket, calls: DoorCalls, limits: DoorLimits) => {
  const line = await readLine(socket, limits)
  if (line === null) return
  const asked = parseJson(line)
  if (!isRequest(asked)) throw new Error('A request is one line: {"call": …, "request": …}')
  const { call, request } = asked
  const answers = Object.hasOwn(calls, call) && calls[call]?.(request)
  if (!answers) throw new Error(`The server knows no ${call}. It may be of another version; start it again.`)
  for await (const one of answers) {
    if (socket.destroyed) return
    if (!socket.write(`${JSON.stringify(one)}\n`)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
}

/**
 * A socket in the data folder, readable by its owner only, for the operator's tools while the server has the embedded
 * stores open. A request is one line of JSON, and so is each answer. Where the path is too long for a socket, the
 * server runs without one.
 */
export const openDoor = async (
  dataDir: string,
  calls: DoorCalls,
  log: Log,
  limits: DoorLimits = usualLimits,
): Promise<{ close: () => void }> => {
  const path = pathOf(dataDir)
  rmSync(path, { force: true }) // the data folder is locked, so the process that created it has ended
  const door = createServer((socket) => {
    socket.on('error', () => {}) // the tool has ended
    answer(socket, calls, limits)
      .catch((error: unknown) => {
        const said = error instanceof Error ? error.message : String(error)
        if (!socket.destroyed) socket.write(`${JSON.stringify({ failed: said })}\n`)
      })
      .finally(() => socket.end())
  }).unref()
  door.maxConnections = limits.connections
  try {
    const umask = process.umask(0o177) // this call creates the file, so other users never have access
    door.listen(path)
    process.umask(umask)
    await once(door, 'listening')
  } catch (error) {
    log.warn({ error, path }, 'no door for tools')
  }
  return { close: () => door.close() }
}

/** Whether a server listens for this data folder; a stopping server has closed its socket. */
export const isDoorOpen = (dataDir: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(pathOf(dataDir), () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Calls the server of this data folder and streams its answers; throws its error. */
export const askServer = async function* (dataDir: string, call: string, request: object): AsyncGenerator {
  const socket = connect(pathOf(dataDir))
  await once(socket, 'connect').catch(() => {
    throw new Error(`The server cannot be asked through ${pathOf(dataDir)}. Stop it for the time of this command.`)
  })
  socket.write(`${JSON.stringify({ call, request })}\n`)
  try {
    for await (const line of createInterface({ input: socket })) {
      const said: unknown = JSON.parse(line)
      if (typeof said === 'object' && said !== null && 'failed' in said) throw new Error(String(said.failed))
      yield said
    }
  } finally {
    socket.destroy()
  }
}
