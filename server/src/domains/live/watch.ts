import type { App } from '#context.ts'
import type { Viewer } from '#access/viewer.ts'
import { findEndedSessions } from './queries.ts'

/** A stream ends within about this time of its session (security rules S1, T5), also of one that runs out by itself. */
const recheckMs = 1000

type Open = { viewer: Viewer; end: () => void }
/** Open streams, watched together: one query a second however many readers there are. */
type Watch = { open: Set<Open>; stop: () => void }
const watches = new WeakMap<App, Watch>()

const startWatch = (app: App): Watch => {
  const open = new Set<Open>()
  const endThose = (which: (viewer: Viewer) => boolean) => {
    for (const { viewer, end } of open) if (which(viewer)) end()
  }
  const check = () =>
    findEndedSessions(app.records, [...new Set([...open].map(({ viewer }) => viewer.sessionId))], app.clock.now()).then(
      (ended) => endThose(({ sessionId }) => ended.includes(sessionId)),
      (error: unknown) => app.log.warn({ error }, 'live: sessions not checked'),
    )
  const timer = setInterval(() => void check(), recheckMs).unref()
  const silence = [
    app.news.hear('session', (id) => endThose(({ sessionId }) => sessionId === id)),
    // Other rights: the reader comes again, and the new stream goes by them.
    app.news.hear('user', (id) => endThose(({ userId }) => userId === id)),
    app.news.hear('customer', (id) => endThose(({ customerId }) => customerId === id)),
  ]
  const stop = () => {
    clearInterval(timer)
    for (const end of silence) end()
  }
  return { open, stop }
}

/** Calls `end` when the viewer's session does, or when the viewer's rights change. Answers the function that ends the watch. */
export const watchSession = (app: App, viewer: Viewer, end: () => void): (() => void) => {
  const watch = watches.get(app) ?? startWatch(app)
  watches.set(app, watch)
  const mine = { viewer, end }
  watch.open.add(mine)
  return () => {
    watch.open.delete(mine)
    if (watch.open.size > 0) return
    watch.stop()
    watches.delete(app)
  }
}
