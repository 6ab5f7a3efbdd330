import type { SoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { sumDecimals } from '@gridmast/contract/numbers.ts'

export type Risk = SoldRisks['risks'][number]

export type RiskLine = Pick<Risk, 'start' | 'end'> & { slots: Risk[] }

export type RiskGroup = Pick<Risk, 'groupId' | 'groupName' | 'product' | 'state'> & {
  slots: Risk[]
  lines: RiskLine[]
  soldKw: { least: number; most: number }
  /** Largest of all periods; null for a silent instance. */
  shortKw: number | null
  /** Null if the price of a period is not published. */
  lossEur: string | null
  atStakeEur: string | null
  /** Instances with spare kW in all periods. */
  spare: Risk['spare']
}

const sumOf = (terms: readonly (string | null)[]): string | null => {
  const published = terms.flatMap((term) => term ?? [])
  return published.length < terms.length ? null : sumDecimals(published)
}

const spareInAll = (slots: readonly Risk[]): Risk['spare'] => {
  const byName = Map.groupBy(
    slots.flatMap(({ spare }) => spare),
    ({ groupName }) => groupName,
  )
  return [...byName].flatMap(([groupName, all]) =>
    all.length === slots.length ? [{ groupName, kw: Math.min(...all.map(({ kw }) => kw)) }] : [],
  )
}

/** Periods of a silent instance differ in time only. */
const linesOf = (slots: readonly Risk[]): RiskLine[] =>
  slots.reduce<RiskLine[]>((lines, slot) => {
    const last = lines.at(-1)
    const continues = slot.state === 'unknown' && last?.end === slot.start && last.slots[0]?.soldKw === slot.soldKw
    return continues
      ? [...lines.slice(0, -1), { ...last, end: slot.end, slots: [...last.slots, slot] }]
      : [...lines, { start: slot.start, end: slot.end, slots: [slot] }]
  }, [])

export const groupRisks = (risks: readonly Risk[]): RiskGroup[] =>
  [...Map.groupBy(risks, ({ groupId, product, state }) => `${groupId} ${product} ${state}`).values()].flatMap(
    (group) => {
      const slots = group.toSorted((a, b) => a.start.localeCompare(b.start))
      const [first] = slots
      if (!first) return []
      const { groupId, groupName, product, state } = first
      const sold = slots.map(({ soldKw }) => soldKw)
      const short = slots.flatMap(({ shortKw }) => shortKw ?? [])
      return [
        {
          groupId,
          groupName,
          product,
          state,
          slots,
          lines: linesOf(slots),
          spare: spareInAll(slots),
          soldKw: { least: Math.min(...sold), most: Math.max(...sold) },
          shortKw: short.length === 0 ? null : Math.max(...short),
          lossEur: sumOf(slots.map(({ lossEur }) => lossEur)),
          atStakeEur: sumOf(slots.map(({ atStakeEur }) => atStakeEur)),
        },
      ]
    },
  )
