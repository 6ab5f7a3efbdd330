import { openEventStream } from '#platform/http/streams.ts'
import {
  live as liveCall,
  type LiveKind,
  liveKinds,
  type LiveReadings,
  mayHear,
  signalKinds,
} from '@gridmast/contract/live.ts'
import { findRevoked, type Viewer } from '#access/viewer.ts'
import { type App, route } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { notFound } from '#platform/http/errors.ts'

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
  const stops = topics.map((topic) => app.bus.listen(topic, checkSoon))
  const stop = () => {
    clearInterval(timer)
    for (const stopListening of stops) stopListening()
  }
  return { open, stop }
}

const watchSession = (app: App, viewer: Viewer, end: () => void): (() => void) => {
  const watch = watches.get(app) ?? startWatch(app)
  watches.set(app, watch)
  const stream = { viewer, end }
  watch.open.add(stream)
  return () => {
    watch.open.delete(stream)
    if (watch.open.size > 0) return
    watch.stop()
    watches.delete(app)
  }
}

const hasInstances = async (tx: Tx, customerId: string, instanceIds: string[]): Promise<boolean> => {
  const rows = await selectRows(tx, customerId, 'instance', { instance_id: instanceIds })
    .select('instance_id')
    .execute()
  return rows.length === new Set(instanceIds).size
}

type Subscription = { sessionId: string; instanceIds: readonly string[] | null; kinds: readonly LiveKind[] }

const texts = new WeakMap<object, Map<string, string | null>>()

const textOf = (readings: LiveReadings, kinds: readonly LiveKind[]): string | null => {
  const byKinds = texts.get(readings) ?? new Map<string, string | null>()
  texts.set(readings, byKinds)
  const key = kinds.join()
  const written = byKinds.get(key)
  if (written !== undefined) return written
  const included = signalKinds.filter((kind) => kinds.includes(kind) && readings.signals[kind])
  const signals = Object.fromEntries(included.map((kind) => [kind, readings.signals[kind]]))
  const text = included.length > 0 ? JSON.stringify({ instanceId: readings.instanceId, signals }) : null
  byKinds.set(key, text)
  return text
}

/** The profile of one session, a wall screen, has changed. */
const isOfOther = (sessionId: string, data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'sessionId' in data && data.sessionId !== sessionId

/** The text of an event for this reader, or null (security rule R2: no more than the calls would return). */
const textFor = ({ sessionId, instanceIds, kinds }: Subscription, event: string, data: unknown): string | null => {
  const kind = liveKinds.find((one) => one === event)
  if (kind && !kinds.includes(kind)) return null
  if (event === 'profile') return isOfOther(sessionId, data) ? null : '{}'
  if (event !== 'readings') return JSON.stringify(data)
  const readings = data as LiveReadings
  if (instanceIds && !instanceIds.includes(readings.instanceId)) return null
  return textOf(readings, kinds)
}

export const live = [
  route(liveCall, async ({ app, viewer, own, query, nowMs, reply }) => {
    const instanceIds = query.instanceIds === undefined ? null : [query.instanceIds].flat()
    const kinds: readonly LiveKind[] = query.kinds === undefined ? liveKinds : [query.kinds].flat()
    const subscription = {
      sessionId: viewer.sessionId,
      instanceIds,
      kinds: liveKinds.filter((kind) => kinds.includes(kind) && mayHear(viewer, kind)),
    }
    if (instanceIds && !(await own((tx, customerId) => hasInstances(tx, customerId, instanceIds)))) throw notFound()
    const unsubscribe = app.live.subscribe(viewer.customerId, (event, data) => {
      const text = textFor(subscription, event, data)
      if (text !== null) stream.send(event, text)
    })
    const unwatch = watchSession(app, viewer, () => stream.end())
    const stream = openEventStream(reply, () => {
      unwatch()
      unsubscribe()
    })
    stream.send('hello', JSON.stringify({ now: new Date(nowMs).toISOString() }))
    return { taken: true }
  }),
]
