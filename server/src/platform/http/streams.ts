import type { FastifyReply, FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A reader with more unread bytes is disconnected; it reconnects and reloads. */
const unreadBytesMax = 256 * 1024
const pingMs = 15_000

export type EventStream = { send: (event: string, data: string) => void; end: () => void }

export const openEventStream = (reply: FastifyReply, closed: () => void): EventStream => {
  reply.hijack()
  const { raw } = reply
  streams.add(raw)
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  const write = (text: string) => {
    if (raw.writableLength > unreadBytesMax) raw.destroy()
    else raw.write(text)
  }
  const ping = setInterval(() => write('event: ping\ndata: {}\n\n'), pingMs)
  raw.once('close', () => {
    clearInterval(ping)
    closed()
  })
  return { send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`), end: () => raw.end() }
}

/** A stop takes at most 15 s in total. */
const longestDrainMs = 8000

/** Answers that never end: a stop does not wait for them. */
const streams = new WeakSet<ServerResponse>()

/** A stop refuses new requests and waits for answers in progress, because their changes are committed. */
export const drainAtClose = (http: FastifyInstance): void => {
  const open = new Set<ServerResponse>()
  http.addHook('onRequest', (_request, { raw }, done) => {
    open.add(raw)
    raw.once('close', () => open.delete(raw))
    done()
  })
  http.addHook('preClose', async () => {
    const untilMs = performance.now() + longestDrainMs
    while ([...open].some((raw) => !streams.has(raw)) && performance.now() < untilMs) await pause(20)
  })
}
