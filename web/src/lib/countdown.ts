import { useCallback, useSyncExternalStore } from 'react'

const everyMs = 200

/** Whole seconds until an instant, by the clock on the wall: a tab that slept shows the right figure when it wakes. */
export const useSecondsUntil = (untilMs: number): number => {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (untilMs <= Date.now()) return () => {}
      const timer = setInterval(() => {
        if (untilMs <= Date.now()) clearInterval(timer)
        listener()
      }, everyMs)
      document.addEventListener('visibilitychange', listener)
      return () => {
        clearInterval(timer)
        document.removeEventListener('visibilitychange', listener)
      }
    },
    [untilMs],
  )
  return useSyncExternalStore(subscribe, () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1000)))
}

/** `120` -> `2:00` */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** `4325` -> `1:12:05` */
export const hoursMinutesSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${minutesAndSeconds(seconds % 3600).padStart(5, '0')}`
