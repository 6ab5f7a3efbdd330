import { live as liveCall } from '@gridmast/contract/live.ts'
import type { App } from '#app.ts'
import { openEventStream } from '#platform/sse.ts'
import { route } from '#route.ts'
import { findEndedSessions } from './queries.ts'

/** A stream ends within about this time of its session (security rules S1, T5). */
const recheckMs = 1000

/** Open streams by session, watched together: one query a second however many readers there are. */
const open = new Map<string, Set<() => void>>()
let watch: NodeJS.Timeout | undefined

const watchSessions = (app: App) => {
  watch ??= setInterval(() => {
    findEndedSessions(app.records, [...open.keys()], app.clock.now()).then(
      (ended) => ended.forEach((sessionId) => open.get(sessionId)?.forEach((end) => end())),
      (error: unknown) => app.log.warn({ error }, 'live: sessions not checked'),
    )
  }, recheckMs).unref()
}

const unwatch = (sessionId: string, end: () => void) => {
  const ends = open.get(sessionId)
  ends?.delete(end)
  if (ends?.size === 0) open.delete(sessionId)
  if (open.size > 0) return
  clearInterval(watch)
  watch = undefined
}

export const live = [
  route(liveCall, async ({ app, viewer, reply }) => {
    const unsubscribe = app.live.subscribe(viewer.customerId, (event, data) => stream.send(event, data))
    const stream = openEventStream(reply, () => {
      unwatch(viewer.sessionId, stream.end)
      unsubscribe()
    })
    open.set(viewer.sessionId, (open.get(viewer.sessionId) ?? new Set()).add(stream.end))
    watchSessions(app)
    stream.send('hello', JSON.stringify({ now: new Date(app.clock.now()).toISOString() }))
    return { taken: true }
  }),
]
