import { useRef, useSyncExternalStore } from 'react'

const subscribe = (everyMs: number) => (listener: () => void) => {
  let timer: ReturnType<typeof setTimeout>
  const tick = () => {
    listener()
    timer = setTimeout(tick, everyMs - (Date.now() % everyMs))
  }
  timer = setTimeout(tick, everyMs - (Date.now() % everyMs))
  return () => clearTimeout(timer)
}

const bySecond = subscribe(1000)
const byTen = subscribe(10_000)
const byMinute = subscribe(60_000)
const subscriptions = { 1000: bySecond, 10_000: byTen, 60_000: byMinute }

/** The time, cut to whole seconds, tens or minutes, and renewed on each of them. */
export const useNow = (everyMs: 1000 | 10_000 | 60_000): number =>
  useSyncExternalStore(subscriptions[everyMs], () => Math.floor(Date.now() / everyMs) * everyMs)

/** Age of an instant in whole minutes once it is older than `afterMs`, else null; looked at every ten seconds, rendered only when it changes. */
export const useAgeOver = (at: () => number | null | undefined, afterMs: number): number | null =>
  useSyncExternalStore(byTen, () => {
    const ms = at()
    const age = ms ? Date.now() - ms : 0
    return age > afterMs ? Math.floor(age / 60_000) * 60_000 : null
  })

/** An instant that another clock stamped, but never later than when it was first seen here. */
export const useSeen = (stamped: number | null): number | null => {
  const seen = useRef<{ stamped: number | null; at: number | null }>({ stamped: null, at: null })
  return useSyncExternalStore(byTen, () => {
    if (seen.current.stamped !== stamped)
      seen.current = { stamped, at: stamped === null ? null : Math.min(stamped, Date.now()) }
    return seen.current.at
  })
}
