import { findRevoked, type Viewer } from '#access/viewer.ts'
import type { App } from '#context.ts'

/** A stream ends within about this time of the end of its session or a right (security rules S1, T5), also of a session that expires. */
const recheckMs = 1000

type Open = { viewer: Viewer; end: () => void }
type Watch = { open: Set<Open>; stop: () => void }
const watches = new WeakMap<App, Watch>()

const startWatch = (app: App): Watch => {
  const open = new Set<Open>()
  const check = async () => {
    const checked = [...open]
    const revoked = new Set(
      await findRevoked(
        app.records,
        checked.map(({ viewer }) => viewer),
        app.clock.now(),
      ),
    )
    for (const { viewer, end } of checked) if (revoked.has(viewer)) end()
  }
  let checking: Promise<void> | undefined
  let hasMore = false
  const checkSoon = () => {
    hasMore = checking !== undefined
    checking ??= check()
      .catch((error: unknown) => app.log.warn({ err: error }, 'live: sessions not checked'))
      .finally(() => {
        checking = undefined
        if (hasMore) checkSoon()
      })
  }
  const timer = setInterval(checkSoon, recheckMs).unref()
  const topics = ['session', 'customer', 'resync']
  const silence = topics.map((topic) => app.bus.listen(topic, checkSoon))
  const stop = () => {
    clearInterval(timer)
    for (const end of silence) end()
  }
  return { open, stop }
}

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
