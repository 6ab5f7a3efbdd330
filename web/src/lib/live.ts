import type { LiveActivation } from '@gridmast/contract/delivery/events.ts'
import { type LiveKind, type LiveProgress, type LiveReadings, type SignalKind, live } from '@gridmast/contract/live.ts'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { useEffect, useEffectEvent } from 'react'
import { ApiError, send } from './api.ts'
import { tokenStore } from './session.ts'
import { createStore } from './store.ts'

export type LiveStatus = 'off' | 'connecting' | 'open'

/** One live stream is shared by all charts of a tab. */
export const liveStatus = createStore<LiveStatus>('off')

const firstRetryMs = 1000
const longestRetryMs = 30_000
/** The server pings every 15 s; a stream that misses two pings is dead. */
const silentMs = 40_000
/** A route change removes the last listener and adds the next one at once, so the stream is updated after this delay. */
const settleMs = 50
const closeAfterMs = 2000
/** After a server failure every open page reloads its data, spread over this time. */
const resyncWithinMs = 2000
const maxInstances = 50

type Subscription = { instanceId: string | undefined; kind: SignalKind; deliver: (values: LiveValues) => void }
const readingListeners = new Set<Subscription>()
/** Events without an instance. `profile` and `resync` arrive on every stream and open none. */
type EventKind = 'prices' | 'alerts' | 'activation' | 'notes' | 'charger' | 'progress' | 'profile' | 'resync'
type Listener = (data: unknown) => void
const listeners = new Map<EventKind, Set<Listener>>()
const listenersOf = (kind: EventKind): Set<Listener> => {
  const existing = listeners.get(kind)
  if (existing) return existing
  const added = new Set<Listener>()
  listeners.set(kind, added)
  return added
}
const hasListener = (kind: EventKind) => listenersOf(kind).size > 0
const notify = (kind: EventKind, data?: unknown) => {
  for (const listener of listenersOf(kind)) listener(data)
}

/** Usually one stream; during a change the next one opens before the last one ends, so that no value is missed. */
type Stream = { request: string; stop: AbortController; isOpen: boolean }
let streams: Stream[] = []

const showStatus = () =>
  liveStatus.set(streams.some(({ isOpen }) => isOpen) ? 'open' : streams.length > 0 ? 'connecting' : 'off')

const queryNow = () => {
  const subscriptions = [...readingListeners].filter(({ instanceId }) => instanceId !== undefined)
  const instanceIds = [...new Set(subscriptions.flatMap(({ instanceId }) => instanceId ?? []))].toSorted()
  const kinds: LiveKind[] = [...new Set(subscriptions.map(({ kind }) => kind))].toSorted()
  return {
    ...(instanceIds.length > 0 && instanceIds.length <= maxInstances ? { instanceIds } : {}),
    kinds: [
      ...kinds,
      ...(['prices', 'alerts', 'activation'] as const),
      ...(['notes', 'charger', 'progress'] as const).filter(hasListener),
    ],
  }
}

const resume = () => notify('resync')

const dispatch = ({ event, data }: EventSourceMessage) => {
  if (event === 'prices' || event === 'alerts' || event === 'notes' || event === 'charger' || event === 'profile')
    notify(event)
  if (event === 'resync') setTimeout(resume, Math.random() * resyncWithinMs)
  if (event === 'activation' || event === 'progress') notify(event, JSON.parse(data))
  if (event !== 'readings') return
  const readings = JSON.parse(data) as LiveReadings // the server's tests validate its events
  for (const { instanceId, kind, deliver } of readingListeners) {
    const values = readings.instanceId === instanceId ? readings.signals[kind] : undefined
    if (values) deliver(values)
  }
}

const readStream = async (query: ReturnType<typeof queryNow>, signal: AbortSignal, onOpen: () => void) => {
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  signal.addEventListener('abort', abort)
  let silence = setTimeout(abort, silentMs)
  try {
    const response = await send(live, { query }, attempt.signal)
    const reader = response.body?.getReader()
    if (!reader) return
    onOpen()
    const decoder = new TextDecoder()
    const parser = createParser({ onEvent: dispatch })
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(abort, silentMs)
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', abort)
    attempt.abort()
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

const end = (stream: Stream) => {
  stream.stop.abort()
  streams = streams.filter((one) => one !== stream)
  showStatus()
}

const keepReading = async (stream: Stream, query: ReturnType<typeof queryNow>) => {
  const { signal } = stream.stop
  let waitMs = firstRetryMs
  let opened = 0
  while (!signal.aborted && tokenStore.get() !== null) {
    try {
      await readStream(query, signal, () => {
        stream.isOpen = true
        waitMs = firstRetryMs
        for (const older of streams.slice(0, streams.indexOf(stream))) end(older)
        showStatus()
        if (opened++ > 0) resume()
      })
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) break
    }
    stream.isOpen = false
    if (signal.aborted) return
    showStatus()
    await pause(waitMs * (0.75 + Math.random() / 2), signal)
    waitMs = Math.min(longestRetryMs, waitMs * 2)
  }
  end(stream)
}

const anyListener = () =>
  readingListeners.size > 0 ||
  (['prices', 'alerts', 'activation', 'notes', 'charger', 'progress'] as const).some(hasListener)

let settling: ReturnType<typeof setTimeout> | undefined
const openOrClose = () => {
  clearTimeout(settling)
  if (!anyListener()) {
    settling = setTimeout(closeLive, closeAfterMs)
    return
  }
  settling = setTimeout(() => {
    const query = queryNow()
    const request = JSON.stringify(query)
    if (tokenStore.get() === null || streams.at(-1)?.request === request) return
    const stream = { request, stop: new AbortController(), isOpen: false }
    streams = [...streams, stream]
    showStatus()
    void keepReading(stream, query)
  }, settleMs)
}

export const closeLive = () => {
  clearTimeout(settling)
  for (const stream of streams) end(stream)
}

/** Each account has its own stream: values of the previous account must not reach the next. */
tokenStore.subscribe(() => {
  closeLive()
  if (tokenStore.get() !== null && anyListener()) openOrClose()
})

const listen = <T>(set: Set<T>, listener: T) => {
  set.add(listener)
  openOrClose()
  return () => {
    set.delete(listener)
    openOrClose()
  }
}

export type LiveValues = { x: number[]; y: (number | null)[] }

/** Calls back with each batch of one signal, outside of React state. */
export const useLive = (instanceId: string | undefined, kind: SignalKind, onValues: (values: LiveValues) => void) => {
  const deliver = useEffectEvent(onValues)
  useEffect(
    () => listen(readingListeners, { instanceId, kind, deliver: (values) => deliver(values) }),
    [instanceId, kind],
  )
}

const useEvent = (kind: EventKind, onEvent: Listener) => {
  const deliver = useEffectEvent(onEvent)
  useEffect(() => listen(listenersOf(kind), (data: unknown) => deliver(data)), [kind])
}

export const useLivePrices = (onPrices: () => void) => useEvent('prices', onPrices)

export const useLiveAlerts = (onAlerts: () => void) => useEvent('alerts', onAlerts)

export const useLiveActivations = (onActivation: (activation: LiveActivation) => void) =>
  useEvent('activation', (data) => onActivation(data as LiveActivation)) // the server's tests validate its events

export const useLiveNotes = (onNotes: () => void) => useEvent('notes', onNotes)

export const useLiveChargers = (onCharger: () => void) => useEvent('charger', onCharger)

export const useLiveProgress = (onProgress: (progress: LiveProgress) => void) =>
  useEvent('progress', (data) => onProgress(data as LiveProgress)) // the server's tests validate its events

export const useLiveProfile = (onProfile: () => void) => useEvent('profile', onProfile)

export const useLiveResume = (onResume: () => void) => useEvent('resync', onResume)
