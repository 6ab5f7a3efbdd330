import { useRef, useSyncExternalStore, useCallback } from 'react'
import { createStore } from './store.ts'

const everyMs = 200

/** By the wall clock, so that a tab is right after sleep; renders when the value changes. */
const useUntil = <T>(untilMs: number, read: () => T): T => {
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setInterval> | undefined
      const run = () => {
        clearInterval(timer)
        if (untilMs > currentMs())
          timer = setInterval(() => {
            if (untilMs <= currentMs()) clearInterval(timer)
            listener()
          }, everyMs)
        listener()
      }
      run()
      const leave = serverAheadMs.subscribe(run)
      document.addEventListener('visibilitychange', listener)
      return () => {
        clearInterval(timer)
        leave()
        document.removeEventListener('visibilitychange', listener)
      }
    },
    [untilMs],
  )
  return useSyncExternalStore(subscribe, read)
}

export const useSecondsUntil = (untilMs: number): number =>
  useUntil(untilMs, () => Math.max(0, Math.ceil((untilMs - currentMs()) / 1000)))

export const useIsOver = (untilMs: number): boolean => useUntil(untilMs, () => untilMs <= currentMs())

/** `120` -> `2:00` */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** `4325` -> `1:12:05` */
export const hoursMinutesSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${minutesAndSeconds(seconds % 3600).padStart(5, '0')}`

export const serverAheadMs = createStore(0)

/** The server's time: a device with a wrong clock shows the same gates, ages and days as any other. */
export const currentMs = (): number => Date.now() + serverAheadMs.get()

/**
 * Adjusts the clock by the `Date` header of an answer to a request sent at `sentMs`. The header has whole seconds and the answer was delayed,
 * so it gives bounds, and the clock moves only as far as they require.
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

/** The time in whole seconds, tens or minutes, updated at each of them. */
export const useNow = (everyMs: 1000 | 10_000 | 60_000): number =>
  useSyncExternalStore(subscriptions[everyMs], () => Math.floor(currentMs() / everyMs) * everyMs)

/** Age in whole minutes once it exceeds `afterMs`, else null; checked every ten seconds, rendered on changes only. */
export const useAgeOver = (at: () => number | null | undefined, afterMs: number): number | null =>
  useSyncExternalStore(byTen, () => {
    const ms = at()
    const age = ms ? currentMs() - ms : 0
    return age > afterMs ? Math.floor(age / 60_000) * 60_000 : null
  })

/** An instant from another clock, but never later than its first appearance here. */
export const useSeen = (stamped: number | null): number | null => {
  const first = useRef<{ stamped: number | null; at: number | null }>({ stamped: null, at: null })
  return useSyncExternalStore(byTen, () => {
    if (first.current.stamped !== stamped)
      first.current = { stamped, at: stamped === null ? null : Math.min(stamped, currentMs()) }
    return first.current.at
  })
}
