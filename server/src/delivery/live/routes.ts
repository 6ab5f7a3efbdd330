import {
  live as liveCall,
  type LiveKind,
  liveKinds,
  type LiveReadings,
  mayHear,
  signalKinds,
} from '@gridmast/contract/live.ts'
import { notFound } from '#platform/http/errors.ts'
import { openEventStream } from '#platform/http/streams.ts'
import { route } from '#context.ts'
import { hasInstances } from './queries.ts'
import { watchSession } from './watch.ts'

type Wanted = { instanceIds: readonly string[] | null; kinds: readonly LiveKind[] }

const texts = new WeakMap<object, Map<string, string | null>>()

const textOf = (readings: LiveReadings, kinds: readonly LiveKind[]): string | null => {
  const written = texts.get(readings) ?? new Map<string, string | null>()
  texts.set(readings, written)
  const key = kinds.join()
  const known = written.get(key)
  if (known !== undefined) return known
  const heard = signalKinds.filter((kind) => kinds.includes(kind) && readings.signals[kind])
  const signals = Object.fromEntries(heard.map((kind) => [kind, readings.signals[kind]]))
  const text = heard.length > 0 ? JSON.stringify({ instanceId: readings.instanceId, signals }) : null
  written.set(key, text)
  return text
}

/** The text of an event for this reader, or null (security rule R2: no more than the calls would return). */
const heardOf = ({ instanceIds, kinds }: Wanted, event: string, data: unknown): string | null => {
  const kind = liveKinds.find((one) => one === event)
  if (kind && !kinds.includes(kind)) return null
  if (event !== 'readings') return JSON.stringify(data)
  const readings = data as LiveReadings
  if (instanceIds && !instanceIds.includes(readings.instanceId)) return null
  return textOf(readings, kinds)
}

export const live = [
  route(liveCall, async ({ app, viewer, own, query, nowMs, reply }) => {
    const instanceIds = query.instanceIds === undefined ? null : [query.instanceIds].flat()
    const asked: readonly LiveKind[] = query.kinds === undefined ? liveKinds : [query.kinds].flat()
    const wanted = { instanceIds, kinds: liveKinds.filter((kind) => asked.includes(kind) && mayHear(viewer, kind)) }
    if (instanceIds && !(await own((tx, customerId) => hasInstances(tx, customerId, instanceIds)))) throw notFound()
    const unsubscribe = app.live.subscribe(viewer.customerId, (event, data) => {
      const text = heardOf(wanted, event, data)
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
