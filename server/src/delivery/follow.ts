import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import type { Readings, StoredGroup } from '#readings/readings.ts'
import { clientOf, type Partition } from './instances/partition.ts'

export type Range = Span & { arrivedMs: number; dueMs: number }

export type FollowPorts = {
  readings: Pick<Readings, 'onStored' | 'storedSince' | 'storedVersion' | 'latest' | 'samples'>
  progress: () => Promise<number | null>
  saveProgress: (version: number) => Promise<void>
  now: () => number
  onError: (error: unknown) => void
  retryMs?: number
}

type Steps<Item> = {
  start: (version: number) => Promise<void>
  stored: (group: StoredGroup) => void
  prepare: () => Promise<void>
  next: (atMs: number) => Item[]
  examine: (items: readonly Item[]) => Promise<void>
  isIdle: (atMs: number) => boolean
}

export const nearMs = 15 * minuteMs
export const lateWaitMs = 1000
export const defaultRetryMs = 1000
const progressEveryMs = 5000

export const addRange = (ranges: Range[], range: Range): void => {
  const near = ranges.find(({ fromMs, toMs }) => range.fromMs <= toMs + nearMs && range.toMs >= fromMs - nearMs)
  if (!near) return void ranges.push({ ...range })
  near.fromMs = Math.min(near.fromMs, range.fromMs)
  near.toMs = Math.max(near.toMs, range.toMs)
  near.arrivedMs = Math.min(near.arrivedMs, range.arrivedMs)
  near.dueMs = Math.min(near.dueMs, range.dueMs)
}

/** Keeps rows that are a function of the stored samples: examines what is stored, retries errors and saves the progress. */
export const openFollower = async <Item>(ports: FollowPorts, steps: Steps<Item>) => {
  const { readings, now, retryMs = defaultRetryMs } = ports
  const closing = new AbortController()
  let seenVersion = 0
  let savedAtMs = 0
  let isHurried = false
  let working: Promise<void> | undefined
  const dueMs = () => (isHurried ? Infinity : now())

  /** Items that fail together are examined one by one, so that a broken one does not block the others. */
  const examine = async (items: readonly Item[]): Promise<void> => {
    const errors: unknown[] = []
    const alone = items.length > 1 ? items : []
    await steps.examine(items).catch(async (error: unknown) => {
      if (alone.length === 0) errors.push(error)
      for (const item of alone) await steps.examine([item]).catch((reason: unknown) => errors.push(reason))
    })
    if (errors.length > 0) throw errors[0]
  }

  const work = async () => {
    while (!steps.isIdle(dueMs()) && !closing.signal.aborted) {
      await steps.prepare()
      const items = steps.next(dueMs())
      if (items.length > 0) await examine(items)
    }
    if (now() - savedAtMs < progressEveryMs || !steps.isIdle(now() + lateWaitMs)) return
    savedAtMs = now()
    await ports.saveProgress(seenVersion)
  }

  const workUntilIdle = async () => {
    do {
      try {
        await work()
      } catch (error) {
        ports.onError(error)
        await pause(retryMs, undefined, { signal: closing.signal }).catch(() => {})
      }
    } while (!steps.isIdle(dueMs()) && !closing.signal.aborted)
    working = undefined
  }

  const wake = () => {
    if (!closing.signal.aborted) working ??= workUntilIdle()
  }

  const start = async () => {
    const version = (await ports.progress()) ?? 0
    seenVersion = Math.max(seenVersion, version, readings.storedVersion())
    await steps.start(version)
  }

  const stopListening = readings.onStored((group) => {
    steps.stored(group)
    seenVersion = group.version
    wake()
  })
  working = start().finally(() => (working = undefined))
  await working
  wake()
  return {
    wake,
    settled: async () => {
      isHurried = true
      wake()
      while (working) await working
      isHurried = false
    },
    close: async () => {
      stopListening()
      closing.abort()
      await working
    },
  }
}

export const followPorts = (
  { records, readings, clock, log, config }: Pick<App, 'records' | 'readings' | 'clock' | 'log' | 'config'>,
  table: 'alert_progress' | 'event_progress',
  failure: string,
  partition: Partition,
): FollowPorts => {
  const client = clientOf(config, partition)
  return {
    readings,
    now: clock.now,
    onError: (error) => log.error({ err: error }, failure),
    progress: async () => {
      const stored = await records.system((tx) =>
        tx.selectFrom(table).select('version').where('client', '=', client).executeTakeFirst(),
      )
      return stored?.version ?? null
    },
    saveProgress: async (version) => {
      await records.system((tx) =>
        tx
          .insertInto(table)
          .values({ client, version })
          .onConflict((conflict) => conflict.column('client').doUpdateSet({ version }))
          .execute(),
      )
    },
  }
}
