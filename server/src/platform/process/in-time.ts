import { setTimeout as pause } from 'node:timers/promises'

/** Rejects after `longestMs`; what is read goes on. */
export const answeredInTime = async <T>(read: () => Promise<T>, longestMs: number): Promise<T> => {
  const late = new AbortController()
  try {
    return await Promise.race([
      read(),
      pause(longestMs, undefined, { signal: late.signal }).then(() => {
        throw new Error(`no answer within ${longestMs / 1000} s`)
      }),
    ])
  } finally {
    late.abort()
  }
}
