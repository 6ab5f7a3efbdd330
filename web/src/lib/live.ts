import { type LiveReadings, type SignalKind, live, liveReadings } from '@gridmast/contract/live.ts'
import { useEffect, useEffectEvent } from 'react'
import { ApiError, send } from './api.ts'
import { type ServerEvent, eventParser } from './sse.ts'
import { tokenStore } from './session.ts'
import { createStore } from './store.ts'

export type LiveStatus = 'off' | 'connecting' | 'open'

/** State of the one live stream that all charts of a tab share. */
export const liveStatus = createStore<LiveStatus>('off')

const firstRetryMs = 1000
const longestRetryMs = 30_000
/** The server pings every 15 s; a stream silent for longer than two pings and a bit is dead. */
const silentMs = 40_000
const closeAfterMs = 2000

const readingListeners = new Set<(readings: LiveReadings) => void>()
const priceListeners = new Set<() => void>()
const resumeListeners = new Set<() => void>()
let stop: AbortController | null = null

const dispatch = ({ event, data }: ServerEvent) => {
  if (event === 'prices') for (const listener of priceListeners) listener()
  if (event !== 'readings') return
  const parsed = liveReadings.safeParse(JSON.parse(data))
  if (parsed.success) for (const listener of readingListeners) listener(parsed.data)
}

const readStream = async (signal: AbortSignal, onOpen: () => void) => {
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  signal.addEventListener('abort', abort)
  let silence = setTimeout(abort, silentMs)
  try {
    const response = await send(live, {}, attempt.signal)
    const reader = response.body?.getReader()
    if (!reader) return
    onOpen()
    const parse = eventParser(dispatch)
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(abort, silentMs)
      parse(value)
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

const keepReading = async (signal: AbortSignal) => {
  let waitMs = firstRetryMs
  let opened = 0
  while (!signal.aborted && tokenStore.get() !== null) {
    liveStatus.set('connecting')
    try {
      await readStream(signal, () => {
        liveStatus.set('open')
        waitMs = firstRetryMs
        if (opened++ > 0) for (const listener of resumeListeners) listener()
      })
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) break
    }
    if (signal.aborted) break
    liveStatus.set('connecting')
    await pause(waitMs * (0.75 + Math.random() / 2), signal)
    waitMs = Math.min(longestRetryMs, waitMs * 2)
  }
  if (stop?.signal === signal) {
    stop = null
    liveStatus.set('off')
  }
}

const anyListener = () => readingListeners.size + priceListeners.size > 0

const openOrClose = () => {
  if (anyListener() && !stop) {
    stop = new AbortController()
    void keepReading(stop.signal)
  }
  // A route change drops the last listener and adds the next one at once: wait before closing.
  if (!anyListener() && stop) setTimeout(() => !anyListener() && closeLive(), closeAfterMs)
}

export const closeLive = () => {
  stop?.abort()
  stop = null
  liveStatus.set('off')
}

/** Another account, another stream: what came for the old one must not reach the new one. */
tokenStore.subscribe(() => {
  closeLive()
  if (tokenStore.get() !== null) openOrClose()
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

/** Calls back with each batch of one signal; nothing is put into React state. */
export const useLive = (instanceId: string | undefined, kind: SignalKind, onValues: (values: LiveValues) => void) => {
  const deliver = useEffectEvent((readings: LiveReadings) => {
    const values = readings.instanceId === instanceId ? readings.signals[kind] : undefined
    if (values) onValues(values)
  })
  useEffect(() => listen(readingListeners, (readings) => deliver(readings)), [])
}

export const useLivePrices = (onPrices: () => void) => {
  const deliver = useEffectEvent(onPrices)
  useEffect(() => listen(priceListeners, () => deliver()), [])
}

/** Calls back after the stream came back from a break, when what was missed has to be read again. */
export const useLiveResume = (onResume: () => void) => {
  const deliver = useEffectEvent(onResume)
  useEffect(() => {
    const listener = () => deliver()
    resumeListeners.add(listener)
    return () => void resumeListeners.delete(listener)
  }, [])
}
