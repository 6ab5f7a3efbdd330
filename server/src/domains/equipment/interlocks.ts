import { edgeVersionValue, isTestable } from '@gridmast/contract/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { m } from '@gridmast/contract/messages.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Readings } from '#readings/readings.ts'
import type { CommandRow } from './commands.ts'
import type { EquipmentEdge, EquipmentInstance } from './queries.ts'

/** Why an edge takes no command now, whatever the set point; null when it does (security rule C2). */
export const edgeRefusal = (edge: EquipmentEdge, seenVersion: number, nowMs: number): string | null => {
  if (seenVersion !== (edgeVersionValue(edge.code_version) ?? 0)) return m.edgeVersionChanged
  const reportedMs = edge.last_reported_at?.getTime() ?? -Infinity
  if (nowMs - reportedMs >= limits.edgeAliveMs) return m.edgeSilent(limits.edgeAliveMs / minuteMs)
  return isTestable(edge.code_version) ? null : m.edgeTooOld
}

/** Where the grid calls a product, in Hz around 50 (domain notes 4.2); FCR and FCR-N answer every wobble and count from 40 % on. */
const calledAt: Record<string, (hz: number) => boolean> = {
  FCR: (hz) => Math.abs(hz - 50) >= 0.08,
  'FCR-N': (hz) => Math.abs(hz - 50) >= 0.04,
  'FCR-D-INC': (hz) => hz < 49.9,
  'FCR-D-DEC': (hz) => hz > 50.1,
  FFR: (hz) => hz <= 49.7,
}
const wobbles = new Set(['FCR', 'FCR-N'])

/** Telemetry older than this says nothing of this moment. */
const freshMs = minuteMs
/** An end that never came is not waited for: what still runs shows in the telemetry. */
export const openEventMs = 60 * minuteMs
/** Equipment and telemetry follow a command this much later at most. */
const settledMs = 15_000

type Known = { hasOpenEvent: boolean; newestCommand: CommandRow | undefined }

/**
 * Whether a market runs an instance at this moment: its edge said so and not yet that it ended, the frequency calls one of its markets, or its
 * set point is not 0 while nobody has set it by hand.
 */
export const isMarketActive = async (
  readings: Pick<Readings, 'latest'>,
  { markets: sold, bidActive, signals }: EquipmentInstance,
  { hasOpenEvent, newestCommand }: Known,
  nowMs: number,
): Promise<boolean> => {
  if (hasOpenEvent) return true
  const [frequency, setPoint] = [signals.frequency?.no, signals.setPoint?.no]
  const latest = await readings.latest([frequency, setPoint].flatMap((no) => no ?? []))
  const fresh = (no: number | undefined) => {
    const sample = no === undefined ? undefined : latest.get(no)
    return sample && nowMs - sample.tMs <= freshMs ? sample : undefined
  }
  const hz = fresh(frequency)?.value
  if (bidActive && hz !== undefined && sold.some((market) => calledAt[market]?.(hz))) return true
  const commanded = fresh(setPoint)
  if (!commanded) return false
  const heldMs = newestCommand && newestCommand.set_point > 0 ? newestCommand.held_until.getTime() : -Infinity
  const settledAtMs = Math.max(heldMs, newestCommand ? newestCommand.issued_at.getTime() : -Infinity) + settledMs
  if (commanded.tMs <= settledAtMs) return false
  const isOnlyWobble = sold.some((market) => wobbles.has(market)) && !sold.some(calledBySetPoint)
  return Math.abs(commanded.value) >= (isOnlyWobble ? 40 : 1)
}

const calledBySetPoint = (market: string) => isMarket(market) && markets[market].group === 'frr_based'
