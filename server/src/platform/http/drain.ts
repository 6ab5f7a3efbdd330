import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** A stop takes at most 15 s in total. */
const longestMs = 8000

const streams = new WeakSet<ServerResponse>()

/** Excludes an endless answer from the wait at a stop. */
export const neverEnds = (raw: ServerResponse): void => void streams.add(raw)

/** A stop refuses new requests and waits for answers in progress, because their changes are committed. */
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
