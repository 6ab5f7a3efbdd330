import type { FastifyReply } from 'fastify'
import { neverEnds } from './drain.ts'

/** A reader with more unread bytes is disconnected; it reconnects and reloads. */
const unreadBytesMax = 256 * 1024
const pingMs = 15_000

export type EventStream = { send: (event: string, data: string) => void; end: () => void }

/** Turns a reply into a server-sent event stream with a bounded buffer. `closed` runs once, at the disconnect. */
export const openEventStream = (reply: FastifyReply, closed: () => void): EventStream => {
  reply.hijack()
  const { raw } = reply
  neverEnds(raw)
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
