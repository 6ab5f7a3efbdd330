import { limits } from '@gridmast/contract/limits.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { type Expected, openExpected, profileSpan, type Usual, usualOf } from '#delivery/scoring/expected.ts'
import type { ExpectedKw } from './shortfall.ts'

type Store = Pick<App, 'readings'>

const readUsual = async ({ readings }: Store, signalNo: number, nowMs: number): Promise<Usual> => {
  const { fromMs, toMs } = profileSpan(nowMs)
  const edgesMs = Array.from({ length: (toMs - fromMs) / hourMs + 1 }, (_, i) => fromMs + i * hourMs)
  const buckets = await readings.buckets({ signalNo, edgesMs })
  const hourly = buckets.flatMap(({ count, sum }, i) => (count > 0 ? [[edgesMs[i] ?? 0, sum / count] as const] : []))
  return usualOf(new Map(hourly), nowMs)
}

/**
 * Typical values are of past days, which only late samples change, within `cachedMs`. Guard and screens read them often, for every instance of a
 * market; a series has at most 48 short lists.
 */
const cachedMs = hourMs
type Cached = { readAt: number; fromMs: number; usual: Promise<Usual> }
const caches = new WeakMap<App['readings'], Map<number, Cached>>()

const findUsual = (app: Store, signalNo: number, nowMs: number): Promise<Usual> => {
  const cache = caches.get(app.readings) ?? new Map<number, Cached>()
  caches.set(app.readings, cache)
  const { fromMs } = profileSpan(nowMs)
  const cached = cache.get(signalNo)
  const isYoung = cached && cached.fromMs === fromMs && nowMs >= cached.readAt && nowMs - cached.readAt < cachedMs
  if (isYoung) return cached.usual
  const entry = { readAt: nowMs, fromMs, usual: readUsual(app, signalNo, nowMs) }
  cache.set(signalNo, entry)
  entry.usual.catch(() => cache.get(signalNo) === entry && cache.delete(signalNo))
  return entry.usual
}

const expectedOf = async (app: Store, signalNo: number, nowMs: number) => {
  const [usual, [last]] = await Promise.all([
    findUsual(app, signalNo, nowMs),
    app.readings.buckets({ signalNo, edgesMs: [nowMs - hourMs, nowMs] }),
  ])
  return openExpected({ usual, lastHourKw: last && last.count > 0 ? last.sum / last.count : null, nowMs })
}

const unknown = (): Expected | null => null

export type Outlook = { isSilent: boolean; expected: ExpectedKw }

export const outlookOf = async (
  app: Store,
  { up, down }: { up: number | null; down: number | null },
  nowMs: number,
): Promise<Outlook> => {
  if (up === null || down === null) return { isSilent: false, expected: { up: unknown, down: unknown } }
  const newest = [...(await app.readings.latest([up, down])).values()].map(({ tMs }) => tMs)
  // An instance that has never reported is new, not silent.
  const isSilent = newest.length > 0 && nowMs - Math.max(...newest) > limits.edgeAliveMs
  const [upward, downward] = await Promise.all([expectedOf(app, up, nowMs), expectedOf(app, down, nowMs)])
  return { isSilent, expected: { up: upward, down: downward } }
}
