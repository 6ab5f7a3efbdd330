import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Data } from '@gridmast/contract/call.ts'
import { compareMonths } from '@gridmast/contract/month-comparison.ts'
import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { addDays, addMonths, localDateOf, monthBounds, today, type LocalMonth } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import type { Tx } from '#platform/records.ts'
import { checkOwn, type Filter, isSimulated, sumSettlements } from './queries.ts'
import { findMissed, findSlotSums, type SlotRow } from './slot-sums.ts'
import { addUp, explainSlot, nothing, shareOf, type SlotSum } from './why-less.ts'

const mostSlots = 20
const mostMissed = 20

type Compared = Data<typeof compareMonths>

const round = (eur: string) => roundDecimal(eur, 2)
const minus = (a: string, b: string) => addDecimals(a, multiplyDecimals(b, '-1'))

/** Two months may be 40,000 slots, seconds of exact arithmetic: other requests come in between. */
const slotsPerTurn = 200
const inTurns = async <T, R>(all: readonly T[], work: (some: readonly T[]) => R): Promise<R[]> => {
  const done: R[] = []
  for (let from = 0; from < all.length; from += slotsPerTurn) {
    done.push(work(all.slice(from, from + slotsPerTurn)))
    await nextTurn()
  }
  return done
}

const addSums = (all: readonly SlotSum[]): SlotSum => {
  const of = (name: keyof SlotSum) => sumDecimals(all.map((one) => one[name]))
  return {
    offeredMw: of('offeredMw'),
    wonMw: of('wonMw'),
    capacityEur: of('capacityEur'),
    sizeEur: of('sizeEur'),
    sharedSizeEur: of('sharedSizeEur'),
    penaltyEur: of('penaltyEur'),
    hours: of('hours'),
    missedHours: of('missedHours'),
  }
}

const toSums = (sum: SlotSum): Compared['slots'][number]['before'] => {
  const share = shareOf(sum)
  return {
    offeredMw: sum.offeredMw,
    wonMw: sum.wonMw,
    capacityEur: round(sum.capacityEur),
    penaltyEur: round(sum.penaltyEur),
    hours: Number(sum.hours),
    missedHours: Number(sum.missedHours),
    sharePercent: share && roundDecimal(multiplyDecimals(share, '100'), 2),
  }
}

const daysOf = (month: LocalMonth) => ({
  startDate: `${month}-01`,
  endDate: addDays(localDateOf(monthBounds(month).toMs), -1),
})

const readMonth = async (tx: Tx, customerId: string, filter: Filter) => ({
  slots: await findSlotSums(tx, customerId, filter),
  sums: await sumSettlements(tx, customerId, filter),
})
type Month = Awaited<ReturnType<typeof readMonth>>

const toMonth = async (month: LocalMonth, { slots, sums }: Month, nowMs: number): Promise<Compared['before']> => ({
  ...toSums(addSums(await inTurns(slots, addSums))),
  month,
  revenueEur: sums.customer,
  settlements: sums.count,
  unknown: sums.unshared + sums.unpublished,
  energyEur: sums.energy,
  isRunning: monthBounds(month).toMs > nowMs,
})

const keyOf = ({ instance_id, product, slot }: SlotRow) => `${instance_id} ${product} ${slot}`

/** Each slot in both months. */
const slotsOf = async (before: Month, after: Month) => {
  const old = new Map(before.slots.map((row) => [keyOf(row), row]))
  const now = new Map(after.slots.map((row) => [keyOf(row), row]))
  const explained = await inTurns([...new Map([...old, ...now]).values()], (some) =>
    some.map((row) => {
      const [was, is] = [old.get(keyOf(row)) ?? nothing, now.get(keyOf(row)) ?? nothing]
      const parts = explainSlot(was, is)
      return { row, was, is, parts, differenceEur: addDecimals(...Object.values(parts)) }
    }),
  )
  return explained.flat()
}

type SlotParts = Parameters<typeof addUp>[0][number]
/** Exact, not rounded yet. */
const addParts = (all: readonly { parts: SlotParts }[]): SlotParts => {
  const of = (name: keyof SlotParts) => sumDecimals(all.map(({ parts }) => parts[name]))
  return {
    volume: of('volume'),
    winRate: of('winRate'),
    price: of('price'),
    availability: of('availability'),
    shares: of('shares'),
  }
}

type Explained = Pick<Compared, 'differenceEur' | 'parts' | 'slots' | 'otherSlots'>

/** Nothing, where nobody knows what one of them earned. */
const explain = async (before: Month, after: Month): Promise<Explained> => {
  if (before.sums.customer === null || after.sums.customer === null)
    return { differenceEur: null, parts: null, slots: [], otherSlots: { count: 0, differenceEur: '0.00' } }
  const differenceEur = minus(after.sums.customer, before.sums.customer)
  const all = await slotsOf(before, after)
  const parts = addUp(await inTurns(all, addParts), differenceEur)
  // The one that made most of the difference first.
  const size = ({ differenceEur: eur }: { differenceEur: string }) => Math.abs(Number(eur))
  const slots = all.toSorted((a, b) => size(b) - size(a))
  const shown = slots.slice(0, mostSlots).filter((slot) => compareDecimals(round(slot.differenceEur), '0') !== 0)
  const others = minus(
    minus(round(differenceEur), parts.rounding),
    addDecimals('0', ...shown.map((slot) => round(slot.differenceEur))),
  )
  return {
    differenceEur: round(differenceEur),
    parts,
    slots: shown.map(({ row, was, is, parts: own5, ...slot }) => ({
      instanceId: row.instance_id,
      instanceName: row.instance_name,
      type: row.product,
      market: row.market,
      slot: row.slot,
      differenceEur: round(slot.differenceEur),
      before: toSums(was),
      after: toSums(is),
      parts: {
        volume: round(own5.volume),
        winRate: round(own5.winRate),
        price: round(own5.price),
        availability: round(own5.availability),
        shares: round(own5.shares),
      },
    })),
    otherSlots: { count: slots.length - shown.length, differenceEur: round(others) },
  }
}

export const comparison = route(compareMonths, async ({ own, nowMs, query }) => {
  const month = query.month ?? addMonths(today(nowMs).slice(0, 7), -1)
  const against = query.against ?? addMonths(month, -1)
  const { licenseId, instanceId } = query
  const filterOf = (of: LocalMonth): Filter => ({ ...daysOf(of), products: [], licenseId, instanceId })
  const read = await own(async (tx, customerId) => {
    await checkOwn(tx, customerId, query)
    const before = await readMonth(tx, customerId, filterOf(against))
    const after = await readMonth(tx, customerId, filterOf(month))
    const missed = await findMissed(tx, customerId, filterOf(month), mostMissed)
    const simulated = await isSimulated(tx, customerId, { ...filterOf(month), startDate: daysOf(against).startDate })
    return { before, after, missed, simulated }
  })
  const { before, after, missed, simulated } = read
  return {
    before: await toMonth(against, before, nowMs),
    after: await toMonth(month, after, nowMs),
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
