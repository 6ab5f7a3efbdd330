import { useRef, useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

/** How far the server's clock is ahead of this device's. */
export const serverAheadMs = createStore(0)

/** The time of the server: a device whose clock is wrong shows the same gates, ages and days as every other. */
export const currentMs = (): number => Date.now() + serverAheadMs.get()

/**
 * Sets the clock by the `Date` header of an answer to a request that was sent at `sentMs`. The header is cut to whole seconds and the answer
 * took its time, so it gives bounds: the clock moves only as far as they require.
 */
export const setClock = (date: string | null, sentMs: number) => {
  const serverMs = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(serverMs)) return
  const [least, most] = [serverMs - Date.now(), serverMs + 1000 - sentMs]
  serverAheadMs.set(Math.min(Math.max(serverAheadMs.get(), least), most))
}

const subscribe = (everyMs: number) => (listener: () => void) => {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => (timer = setTimeout(tick, everyMs - (currentMs() % everyMs)))
  const tick = () => {
    listener()
    wait()
  }
  wait()
  const leave = serverAheadMs.subscribe(listener)
  return () => {
    clearTimeout(timer)
    leave()
  }
}

const bySecond = subscribe(1000)
const byTen = subscribe(10_000)
const byMinute = subscribe(60_000)
const subscriptions = { 1000: bySecond, 10_000: byTen, 60_000: byMinute }

/** The time, cut to whole seconds, tens or minutes, and renewed on each of them. */
export const useNow = (everyMs: 1000 | 10_000 | 60_000): number =>
  useSyncExternalStore(subscriptions[everyMs], () => Math.floor(currentMs() / everyMs) * everyMs)

/** Age of an instant in whole minutes once it is older than `afterMs`, else null; looked at every ten seconds, rendered only when it changes. */
export const useAgeOver = (at: () => number | null | undefined, afterMs: number): number | null =>
  useSyncExternalStore(byTen, () => {
    const ms = at()
    const age = ms ? currentMs() - ms : 0
    return age > afterMs ? Math.floor(age / 60_000) * 60_000 : null
  })

/** An instant that another clock stamped, but never later than when it was first seen here. */
export const useSeen = (stamped: number | null): number | null => {
  const seen = useRef<{ stamped: number | null; at: number | null }>({ stamped: null, at: null })
  return useSyncExternalStore(byTen, () => {
    if (seen.current.stamped !== stamped)
      seen.current = { stamped, at: stamped === null ? null : Math.min(stamped, currentMs()) }
    return seen.current.at
  })
}
