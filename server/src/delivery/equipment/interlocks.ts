import { edgeVersionValue, isTestable } from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { isMarket } from '@gridmast/contract/markets.ts'
import { m } from '@gridmast/contract/messages.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { demandOf, type Product, products } from '#delivery/scoring/products.ts'
import type { Readings } from '#readings/readings.ts'
import type { CommandRow } from './commands.ts'
import type { EquipmentEdge, EquipmentInstance } from './queries.ts'

/** The reason why an edge accepts no command now, whatever the set point; null when it accepts one (security rule C2). */
export const edgeRefusal = (edge: EquipmentEdge, seenVersion: number, nowMs: number): string | null => {
  if (seenVersion !== (edgeVersionValue(edge.code_version) ?? 0)) return m.edgeVersionChanged
  const reportedMs = edge.last_reported_at?.getTime() ?? -Infinity
  if (nowMs - reportedMs >= limits.edgeAliveMs) return m.edgeSilent(limits.edgeAliveMs / minuteMs)
  return isTestable(edge.code_version) ? null : m.edgeTooOld
}

const isCalledAt = (product: Product, atMs: number, hz: number): boolean => {
  if (product.trigger !== 'frequency') return false
  const share = Math.abs(demandOf(product)(atMs, hz))
  return share > 0 && share >= product.activeFrom
}

/** Percent of the set point from which equipment counts as activated: FCR and FCR-N answer every small deviation of the frequency. */
const calledFromPct = (sold: readonly Product[]): number =>
  sold.some(({ trigger }) => trigger === 'set point')
    ? 1
    : Math.max(1, ...sold.map(({ activeFrom }) => 100 * activeFrom))

const freshMs = minuteMs
/** An edge event without an end is ignored after this time; telemetry shows whether it still runs. */
export const openEventMs = 60 * minuteMs
const settledMs = 15_000

type Known = { hasOpenEvent: boolean; newestCommand: CommandRow | undefined }

/**
 * Whether a market runs an instance now: an edge event is open, the frequency activates one of its markets, or its set point is not 0 without a
 * manual command.
 */
export const isMarketActive = async (
  readings: Pick<Readings, 'latest'>,
  { markets, bidActive, signals }: EquipmentInstance,
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
  const sold = markets.filter(isMarket).map((market) => products[market])
  const measured = fresh(frequency)
  if (bidActive && measured && sold.some((product) => isCalledAt(product, measured.tMs, measured.value))) return true
  const commanded = fresh(setPoint)
  if (!commanded) return false
  const heldMs = newestCommand && newestCommand.set_point > 0 ? newestCommand.held_until.getTime() : -Infinity
  const settledAtMs = Math.max(heldMs, newestCommand ? newestCommand.issued_at.getTime() : -Infinity) + settledMs
  if (commanded.tMs <= settledAtMs) return false
  return Math.abs(commanded.value) >= calledFromPct(sold)
}
