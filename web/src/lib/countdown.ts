import { useCallback, useSyncExternalStore } from 'react'
import { currentMs, serverAheadMs } from './clock.ts'

const everyMs = 200

/** By the wall clock, so that a tab is right after sleep. */
export const useSecondsUntil = (untilMs: number): number => {
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
  return useSyncExternalStore(subscribe, () => Math.max(0, Math.ceil((untilMs - currentMs()) / 1000)))
}

/** `120` -> `2:00` */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** `4325` -> `1:12:05` */
export const hoursMinutesSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${minutesAndSeconds(seconds % 3600).padStart(5, '0')}`
