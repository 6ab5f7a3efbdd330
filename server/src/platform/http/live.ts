import { z } from 'zod'
import { type Bus, noBus } from '#platform/messaging/bus.ts'
import type { LiveProgress } from '@gridmast/contract/live.ts'

/** Events for the open streams of one customer in all processes. Nothing is stored: a reader reloads after a disconnect. */
export type Live = {
  publish: (customerId: string, event: string, data: unknown) => void
  announce: (event: string, data: unknown) => void
  /** `customerId` is the session's (security rule T5). Answers the unsubscribe function. */
  subscribe: (customerId: string, listener: Listener) => () => void
  /** Whether any process has listeners for the customer; otherwise events need not be built. */
  hasListeners: (customerId: string) => boolean
  count: () => number
  close: () => void
}
type Listener = (event: string, data: unknown) => void

/** Each process repeats its listeners to the others at this interval; without a repetition they expire. */
const repeatMs = 10_000
const validMs = 25_000
/** Wait for the answers of the other processes; until then every customer counts as listening, because a broker delivers its backlog at once. */
const answerMs = 1500

const published = z.tuple([z.string().nullable(), z.string(), z.unknown()])
const customerIds = z.array(z.string())

export const openLive = (bus: Bus = noBus): Live => {
  const listeners = new Map<string, Set<Listener>>()
  const elsewhere = new Map<string, number>()

  const emit = (customerId: string | null, event: string, data: unknown) => {
    const sets = customerId === null ? listeners.values() : [listeners.get(customerId) ?? []]
    for (const set of sets) for (const listener of set) listener(event, data)
  }
  let requestedAtMs = 0
  const hasListenersElsewhere = (customerId: string) =>
    Date.now() - requestedAtMs < answerMs || (elsewhere.get(customerId) ?? 0) > Date.now()
  const repeatListeners = () => {
    for (const [customerId, untilMs] of elsewhere) if (untilMs <= Date.now()) elsewhere.delete(customerId)
    if (listeners.size > 0) bus.broadcast('heard', [...listeners.keys()])
  }
  const requestListeners = () => {
    requestedAtMs = Date.now()
    bus.broadcast('who', null)
  }

  const stops = [
    bus.listen('published', (data) => emit(...published.parse(data))),
    bus.listen('heard', (data) => {
      for (const customerId of customerIds.parse(data)) elsewhere.set(customerId, Date.now() + validMs)
    }),
    bus.listen('who', repeatListeners),
    bus.listen('resync', () => {
      requestListeners()
      repeatListeners()
      emit(null, 'resync', {})
    }),
  ]
  requestListeners()
  const repeating = setInterval(repeatListeners, repeatMs).unref()

  return {
    publish: (customerId, event, data) => {
      emit(customerId, event, data)
      if (hasListenersElsewhere(customerId)) bus.broadcast('published', [customerId, event, data])
    },
    announce: (event, data) => {
      emit(null, event, data)
      bus.broadcast('published', [null, event, data])
    },
    subscribe: (customerId, listener) => {
      const set = listeners.get(customerId) ?? new Set()
      if (set.size === 0) bus.broadcast('heard', [customerId])
      listeners.set(customerId, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0) listeners.delete(customerId)
      }
    },
    hasListeners: (customerId) => listeners.has(customerId) || hasListenersElsewhere(customerId),
    count: () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0),
    close: () => {
      clearInterval(repeating)
      for (const stop of stops) stop()
    },
  }
}

export type Progress = (done: number, total: number) => void

const publishIntervalMs = 250

/** Publishes the progress of a long call a few times per second, under the id from the caller; without an id nothing is published. */
export const openProgress = (live: Live, customerId: string, watch: string | undefined): Progress => {
  let publishedAtMs = -Infinity
  return (done, total) => {
    if (watch === undefined || (done < total && performance.now() - publishedAtMs < publishIntervalMs)) return
    publishedAtMs = performance.now()
    live.publish(customerId, 'progress', { watch, done, total } satisfies LiveProgress)
  }
}
