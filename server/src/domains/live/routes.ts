import { live as liveCall } from '@gridmast/contract/live.ts'
import { openEventStream } from '#platform/sse.ts'
import { type App, route } from '#context.ts'
import { findEndedSessions } from './queries.ts'

/** A stream ends within about this time of its session (security rules S1, T5). */
const recheckMs = 1000

/** Open streams by session, watched together: one query a second however many readers there are. */
type Watch = { open: Map<string, Set<() => void>>; timer?: NodeJS.Timeout }
const watches = new WeakMap<App, Watch>()

const endEnded = (app: App, { open }: Watch) =>
  findEndedSessions(app.records, [...open.keys()], app.clock.now()).then(
    (ended) => ended.forEach((sessionId) => open.get(sessionId)?.forEach((end) => end())),
    (error: unknown) => app.log.warn({ error }, 'live: sessions not checked'),
  )

const watchSession = (app: App, sessionId: string, end: () => void) => {
  const watch: Watch = watches.get(app) ?? { open: new Map() }
  watches.set(app, watch)
  watch.open.set(sessionId, (watch.open.get(sessionId) ?? new Set()).add(end))
  watch.timer ??= setInterval(() => void endEnded(app, watch), recheckMs).unref()
}

const unwatchSession = (app: App, sessionId: string, end: () => void) => {
  const watch = watches.get(app)
  const ends = watch?.open.get(sessionId)
  ends?.delete(end)
  if (ends?.size === 0) watch?.open.delete(sessionId)
  if (!watch || watch.open.size > 0) return
  clearInterval(watch.timer)
  watches.delete(app)
}

export const live = [
  route(liveCall, async ({ app, viewer, nowMs, reply }) => {
    const unsubscribe = app.live.subscribe(viewer.customerId, (event, data) => stream.send(event, data))
    const stream = openEventStream(reply, () => {
      unwatchSession(app, viewer.sessionId, stream.end)
      unsubscribe()
    })
    watchSession(app, viewer.sessionId, stream.end)
    stream.send('hello', JSON.stringify({ now: new Date(nowMs).toISOString() }))
    return { taken: true }
  }),
]
