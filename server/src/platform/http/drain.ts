import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Of the 15 s that a stop may take. */
const longestMs = 8000

const streams = new WeakSet<ServerResponse>()

/** This answer has no end of its own: a stop does not wait for it. */
export const neverEnds = (raw: ServerResponse): void => void streams.add(raw)

/** A stop takes nothing new and waits for the answers that are on their way: what was committed is to be heard of. */
export const drainAtClose = (http: FastifyInstance): void => {
  const open = new Set<ServerResponse>()
  http.addHook('onRequest', (_request, { raw }, done) => {
    open.add(raw)
    raw.once('close', () => open.delete(raw))
    done()
  })
  http.addHook('preClose', async () => {
    const untilMs = performance.now() + longestMs
    while ([...open].some((raw) => !streams.has(raw)) && performance.now() < untilMs) await pause(20)
  })
}
