import { useSyncExternalStore } from 'react'

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
