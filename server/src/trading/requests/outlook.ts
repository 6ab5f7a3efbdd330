import { limits } from '@gridmast/contract/limits.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { type Expected, openExpected, profileSpan, type Usual, usualOf } from '#delivery/scoring/expected.ts'
import type { SoldInstance } from '#trading/guard/guard-rows.ts'
import type { ExpectedWays } from '#trading/guard/shortfall.ts'

type Measured = Pick<App, 'readings'>
type At = { nowMs: number }

const readUsual = async ({ readings }: Measured, signalNo: number, nowMs: number): Promise<Usual> => {
  const { fromMs, toMs } = profileSpan(nowMs)
  const edgesMs = Array.from({ length: (toMs - fromMs) / hourMs + 1 }, (_, i) => fromMs + i * hourMs)
  const buckets = await readings.buckets({ signalNo, edgesMs })
  const hourly = buckets.flatMap(({ count, sum }, i) => (count > 0 ? [[edgesMs[i] ?? 0, sum / count] as const] : []))
  return usualOf(new Map(hourly), nowMs)
}

type Kept = { readAt: number; fromMs: number; usual: Promise<Usual> }

/**
 * Typical values are of past days, which only late samples change, within `keptMs`. Guard and screens read them often, for every instance of a
 * market; a series has at most 48 short lists.
 */
const keptMs = hourMs
const kept = new WeakMap<App['readings'], Map<number, Kept>>()

const findUsual = (app: Measured, signalNo: number, { nowMs }: At): Promise<Usual> => {
  const known = kept.get(app.readings) ?? new Map<number, Kept>()
  kept.set(app.readings, known)
  const { fromMs } = profileSpan(nowMs)
  const found = known.get(signalNo)
  const isYoung = found && found.fromMs === fromMs && nowMs >= found.readAt && nowMs - found.readAt < keptMs
  if (isYoung) return found.usual
  const one = { readAt: nowMs, fromMs, usual: readUsual(app, signalNo, nowMs) }
  known.set(signalNo, one)
  one.usual.catch(() => known.get(signalNo) === one && known.delete(signalNo))
  return one.usual
}

const expectedOf = async (app: Measured, signalNo: number, at: At) => {
  const { nowMs } = at
  const [usual, [last]] = await Promise.all([
    findUsual(app, signalNo, at),
    app.readings.buckets({ signalNo, edgesMs: [nowMs - hourMs, nowMs] }),
  ])
  return openExpected({ usual, lastHourKw: last && last.count > 0 ? last.sum / last.count : null, nowMs })
}

const unknown = (): Expected | null => null

export type Outlook = { isSilent: boolean; expected: ExpectedWays }

export const outlookOf = async (
  app: Measured,
  { up, down }: Pick<SoldInstance, 'up' | 'down'>,
  at: At,
): Promise<Outlook> => {
  if (up === null || down === null) return { isSilent: false, expected: { up: unknown, down: unknown } }
  const newest = [...(await app.readings.latest([up, down])).values()].map(({ tMs }) => tMs)
  // An instance that has never reported is new, not silent.
  const isSilent = newest.length > 0 && at.nowMs - Math.max(...newest) > limits.edgeAliveMs
  const [upward, downward] = await Promise.all([expectedOf(app, up, at), expectedOf(app, down, at)])
  return { isSilent, expected: { up: upward, down: downward } }
}
