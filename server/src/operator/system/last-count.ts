import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'

export type Count<T> = { value: T; countedAtMs: number }
type Kept = { last: Count<unknown> | null; counting: Promise<unknown> | null }

const kept = new WeakMap<App['records'], Map<string, Kept>>()

/** Wait for a new count: a busy store took minutes (measured: 187 s), and the last count is as good. */
const patienceMs = 1000

/**
 * Expensive counts run at most once a minute for all callers. A caller waits `patienceMs` and then gets the last count, or null without one; the
 * count continues.
 */
export const lastCount = async <T>(
  { records }: Pick<App, 'records'>,
  nowMs: number,
  name: string,
  count: () => Promise<T>,
): Promise<Count<T> | null> => {
  const all = kept.get(records) ?? new Map<string, Kept>()
  kept.set(records, all)
  const own = all.get(name) ?? { last: null, counting: null }
  all.set(name, own)
  const minuteOf = (ms: number) => Math.floor(ms / minuteMs)
  if (own.last === null || minuteOf(own.last.countedAtMs) !== minuteOf(nowMs)) {
    own.counting ??= count()
      .then((value) => void (own.last = { value, countedAtMs: nowMs }))
      .finally(() => void (own.counting = null))
    const failed = own.last === null ? undefined : () => {}
    const late = new AbortController()
    await Promise.race([
      own.counting.catch(failed),
      pause(patienceMs, undefined, { signal: late.signal }).catch(() => {}),
    ])
    late.abort()
    own.counting?.catch(() => {})
  }
  return own.last as Count<T> | null // stored under this name
}
