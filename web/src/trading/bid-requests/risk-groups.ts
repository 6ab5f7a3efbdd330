import type { SoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { sumDecimals } from '@gridmast/contract/numbers.ts'

export type Risk = SoldRisks['risks'][number]

/** Neighbouring periods of one instance that say the same are one line. */
export type RiskLine = Pick<Risk, 'start' | 'end'> & { slots: Risk[] }

export type RiskGroup = Pick<Risk, 'groupId' | 'groupName' | 'product' | 'state'> & {
  slots: Risk[]
  lines: RiskLine[]
  soldKw: { least: number; most: number }
  /** In the period that misses the most; null while nothing is known of the instance. */
  shortKw: number | null
  /** Of all its periods; null where a price of any is not published. */
  lossEur: string | null
  atStakeEur: string | null
  /** Who has kW to spare in every one of the periods, and how many. */
  spare: Risk['spare']
}

const sumOf = (terms: readonly (string | null)[]): string | null => {
  const known = terms.flatMap((term) => term ?? [])
  return known.length < terms.length ? null : sumDecimals(known)
}

const spareInAll = (slots: readonly Risk[]): Risk['spare'] => {
  const named = Map.groupBy(
    slots.flatMap(({ spare }) => spare),
    ({ groupName }) => groupName,
  )
  return [...named].flatMap(([groupName, all]) =>
    all.length === slots.length ? [{ groupName, kw: Math.min(...all.map(({ kw }) => kw)) }] : [],
  )
}

/** Nothing but the time tells the periods of a silent instance apart. */
const linesOf = (slots: readonly Risk[]): RiskLine[] =>
  slots.reduce<RiskLine[]>((lines, slot) => {
    const last = lines.at(-1)
    const goesOn = slot.state === 'unknown' && last?.end === slot.start && last.slots[0]?.soldKw === slot.soldKw
    return goesOn
      ? [...lines.slice(0, -1), { ...last, end: slot.end, slots: [...last.slots, slot] }]
      : [...lines, { start: slot.start, end: slot.end, slots: [slot] }]
  }, [])

/** Periods at risk by instance, product and state, in the order in which the first of each begins. */
export const groupRisks = (risks: readonly Risk[]): RiskGroup[] =>
  [...Map.groupBy(risks, ({ groupId, product, state }) => `${groupId} ${product} ${state}`).values()].flatMap((own) => {
    const slots = own.toSorted((a, b) => a.start.localeCompare(b.start))
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
  })
