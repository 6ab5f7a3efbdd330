import { setImmediate as nextTurn } from 'node:timers/promises'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { compareMonths } from '@gridmast/contract/settlement/month-comparison.ts'
import { compareDecimals, roundDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import {
  addDays,
  addMonths,
  type LocalDate,
  localDateOf,
  type LocalMonth,
  monthBounds,
  today,
} from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { route } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { checkFilter, type Filter, matching, simulatedIn, sumSettlements } from './queries.ts'
import {
  addUp,
  differenceOf,
  explainSlot,
  fromText,
  nothing,
  roundPart,
  roundParts,
  sharePercentOf,
  type SlotSum,
  toText,
} from './why-less.ts'
import { sqlRows } from '#platform/records/rows.ts'

type SlotTexts = {
  [K in keyof SlotSum]: SlotSum[K] extends bigint ? string : SlotSum[K]
}
type OfInstance = {
  instance_id: string
  instance_name: string
  product: string
  market: string
  slot: number
}
type SlotRow = SlotSum & OfInstance

const hoursOfSlot = (market: string) => BigInt(24 / (requestSlots(market) ?? 1))

const ofSlots = (customerId: string, filter: Filter, join = sql``) => sql`
  from settlement s ${join} cross join lateral unnest(s.slot_sums) p
  where s.customer_id = ${customerId} and ${matching(filter)} and s.customer_eur is not null`

/** Names are joined to the sums: sorted with a million periods they doubled the time of the query, 5.6 s against 2.6 s. */
const findSlotSums = async (tx: Tx, customerId: string, filter: Filter): Promise<SlotRow[]> => {
  const rows = await sqlRows<SlotTexts & OfInstance>(tx)`
    select i.name as instance_name, p.* from (
      select s.customer_id, s.instance_id, s.product, s.market, p.slot, trim_scale(sum(p.offered_mw))::text as "offeredMwHours", trim_scale(sum(p.won_mw))::text as "wonMwHours",
      trim_scale(sum(p.capacity_eur))::text as "capacityEur", trim_scale(sum(p.size_eur))::text as "sizeEur",
      trim_scale(sum(p.shared_size_eur))::text as "sharedSizeEur", trim_scale(sum(p.penalty_eur))::text as "penaltyEur",
      sum(p.hours)::int as hours, sum(p.missed_hours)::int as "missedHours"
    ${ofSlots(customerId, filter)}
      group by 1, 2, 3, 4, 5) p
    join instance i on i.customer_id = p.customer_id and i.instance_id = p.instance_id
    order by 1, p.product, p.slot, p.instance_id`
  return rows.map((row) => ({
    ...row,
    offeredMwHours: fromText(row.offeredMwHours) * hoursOfSlot(row.market),
    wonMwHours: fromText(row.wonMwHours) * hoursOfSlot(row.market),
    capacityEur: fromText(row.capacityEur),
    sizeEur: fromText(row.sizeEur),
    sharedSizeEur: fromText(row.sharedSizeEur),
    penaltyEur: fromText(row.penaltyEur),
  }))
}

type MissedRow = OfInstance & { day: LocalDate; hours: number; eur: string }

const findMissed = (tx: Tx, customerId: string, filter: Filter, limit: number): Promise<MissedRow[]> =>
  sqlRows<MissedRow>(tx)`
    select s.instance_id, i.name as instance_name, s.product, s.market, s.day::text as day, p.slot, max(p.missed_hours) as hours, round(sum(p.penalty_eur), 2)::text as eur
    ${ofSlots(customerId, filter, sql`join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id`)} and s.penalty_eur <> 0 and p.penalty_eur < 0
    group by 1, 2, 3, 4, s.day, 6 order by sum(p.penalty_eur), s.day, p.slot limit ${limit}`

const maxSlots = 500
const maxMissed = 20

type Compared = Data<typeof compareMonths>

const round = (eur: string) => roundDecimal(eur, 2)

/** Two months may have 40,000 slots, 0.35 s of arithmetic: other requests run in between. */
const slotsPerTurn = 2000
const inTurns = async <T, R>(all: readonly T[], work: (some: readonly T[]) => R): Promise<R[]> => {
  const done: R[] = []
  for (let from = 0; from < all.length; from += slotsPerTurn) {
    done.push(work(all.slice(from, from + slotsPerTurn)))
    await nextTurn()
  }
  return done
}

const sumFields = ['offeredMwHours', 'wonMwHours', 'capacityEur', 'sizeEur', 'sharedSizeEur', 'penaltyEur'] as const

const addSums = (all: readonly SlotSum[]): SlotSum => {
  const sum = { ...nothing }
  for (const one of all) {
    for (const field of sumFields) sum[field] += one[field]
    sum.hours += one.hours
    sum.missedHours += one.missedHours
  }
  return sum
}

const toSums = (sum: SlotSum): Compared['slots'][number]['before'] => ({
  offeredMwHours: toText(sum.offeredMwHours),
  wonMwHours: toText(sum.wonMwHours),
  capacityEur: toText(sum.capacityEur, 2),
  penaltyEur: toText(sum.penaltyEur, 2),
  hours: sum.hours,
  missedHours: sum.missedHours,
  sharePercent: sharePercentOf(sum),
})

/** Number of compared days with an unfinished month, those before today: open days are not compared with settled ones. */
const daysBefore = (months: readonly LocalMonth[], now: LocalDate): number | null => {
  const open = months.filter((month) => month >= now.slice(0, 7))
  if (open.length === 0) return null
  return open.some((month) => month > now) ? 0 : Number(now.slice(8)) - 1
}

const daysOf = (month: LocalMonth, days: number | null) => {
  const [first, last] = [`${month}-01`, addDays(localDateOf(monthBounds(month).toMs), -1)]
  const end = days === null ? last : addDays(first, days - 1)
  return { startDate: first, endDate: end < last ? end : last }
}

const readMonth = async (tx: Tx, customerId: string, filter: Filter) => ({
  slots: await findSlotSums(tx, customerId, filter),
  sums: await sumSettlements(tx, customerId, filter),
})
type Month = Awaited<ReturnType<typeof readMonth>>

const toMonth = async (month: LocalMonth, { slots, sums }: Month): Promise<Compared['before']> => ({
  ...toSums(addSums(await inTurns(slots, addSums))),
  month,
  revenueEur: sums.customer,
  settlements: sums.count,
  unknown: sums.unshared + sums.unpublished,
  energyEur: sums.energy,
})

const keyOf = ({ instance_id, product, slot }: SlotRow) => `${instance_id} ${product} ${slot}`

const slotsOf = async (before: Month, after: Month) => {
  const pairs = new Map<string, { row: SlotRow; before: SlotSum; after: SlotSum }>()
  for (const row of before.slots) pairs.set(keyOf(row), { row, before: row, after: nothing })
  for (const row of after.slots) {
    const key = keyOf(row)
    pairs.set(key, { row, before: pairs.get(key)?.before ?? nothing, after: row })
  }
  const explained = await inTurns([...pairs.values()], (some) =>
    some.map((pair) => {
      const parts = explainSlot(pair.before, pair.after)
      const difference = differenceOf(parts)
      return { ...pair, parts, difference, size: difference < 0n ? -difference : difference }
    }),
  )
  return explained.flat()
}

type Explained = Pick<Compared, 'differenceEur' | 'parts' | 'slots' | 'otherSlots'>

const explain = async (before: Month, after: Month): Promise<Explained> => {
  if (before.sums.customer === null || after.sums.customer === null)
    return { differenceEur: null, parts: null, slots: [], otherSlots: { count: 0, differenceEur: '0.00' } }
  const differenceEur = subtractDecimals(after.sums.customer, before.sums.customer)
  const all = await slotsOf(before, after)
  const parts = addUp(
    all.map((slot) => slot.parts),
    differenceEur,
  )
  const slots = all.toSorted((a, b) => (a.size === b.size ? 0 : a.size < b.size ? 1 : -1))
  const listed = slots.slice(0, maxSlots).filter((slot) => compareDecimals(roundPart(slot.difference), '0') !== 0)
  const others = subtractDecimals(
    subtractDecimals(round(differenceEur), parts.rounding),
    sumDecimals(listed.map((slot) => roundPart(slot.difference))),
  )
  return {
    differenceEur: round(differenceEur),
    parts,
    slots: listed.map(({ row, ...slot }) => ({
      instanceId: row.instance_id,
      instanceName: row.instance_name,
      type: row.product,
      market: row.market,
      slot: row.slot,
      differenceEur: roundPart(slot.difference),
      before: toSums(slot.before),
      after: toSums(slot.after),
      parts: roundParts(slot.parts),
    })),
    otherSlots: { count: slots.length - listed.length, differenceEur: round(others) },
  }
}

export const comparison = route(compareMonths, async ({ own, nowMs, query }) => {
  const now = today(nowMs)
  const month = query.month ?? addMonths(now.slice(0, 7), -1)
  const against = query.against ?? addMonths(month, -1)
  const { licenseId, instanceId } = query
  const days = daysBefore([month, against], now)
  const filterOf = (of: LocalMonth): Filter => ({ ...daysOf(of, days), products: [], licenseId, instanceId })
  const read = await own(async (tx, customerId) => {
    await checkFilter(tx, customerId, query)
    const before = await readMonth(tx, customerId, filterOf(against))
    const after = await readMonth(tx, customerId, filterOf(month))
    const missed = await findMissed(tx, customerId, filterOf(month), maxMissed)
    const simulated = await simulatedIn(tx, customerId, { ...filterOf(month), startDate: `${against}-01` })
    return { before, after, missed, simulated }
  })
  const { before, after, missed, simulated } = read
  return {
    days,
    before: await toMonth(against, before),
    after: await toMonth(month, after),
    ...(await explain(before, after)),
    missed: missed.map((row) => ({
      instanceId: row.instance_id,
      instanceName: row.instance_name,
      type: row.product,
      market: row.market,
      slot: row.slot,
      date: row.day,
      hours: row.hours,
      penaltyEur: row.eur,
    })),
    simulated,
  }
})
