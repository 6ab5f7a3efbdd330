import { hourMs, localDateOf, type LocalDate } from '@gridmast/contract/time.ts'
import { pricesOf, totalOf, type Rates } from '#grid/published/cost-of-energy.ts'

/** Where the money went: the hours that cost most, and what moving their energy would have saved (dearest-hours.md). */

/** Energy and cost of one full hour, both known. `amount` in 10⁻¹⁴ DKK, `price` in 10⁻⁸ DKK/MWh. */
export type HourCost = { fromMs: number; wh: number; amount: bigint; price: bigint }

type Moved = HourCost & { cheapest: { fromMs: number; price: bigint }; saved: bigint }

/** What an hour's energy costs for each MWh; null where some price of it is unknown. */
export const hourPrice = (fromMs: number, rates: Rates): bigint | null => {
  const prices = pricesOf({ fromMs, toMs: fromMs + hourMs }, rates)
  return typeof prices === 'string' ? null : totalOf(prices)
}

/** The cheapest hour of each local day among those with a price; of equals the first. */
const cheapestByDay = (hours: readonly { fromMs: number; price: bigint }[]) => {
  const cheapest = new Map<LocalDate, { fromMs: number; price: bigint }>()
  for (const hour of hours) {
    const day = localDateOf(hour.fromMs)
    const found = cheapest.get(day)
    if (!found || hour.price < found.price) cheapest.set(day, { fromMs: hour.fromMs, price: hour.price })
  }
  return cheapest
}

/**
 * The dearest hours, dearest first, each with the cheapest hour of its own local day. `priced` are all hours with a price, also those
 * without a reading: energy could have been used in them.
 */
export const dearestOf = (
  hours: readonly HourCost[],
  priced: readonly { fromMs: number; price: bigint }[],
  count = 10,
): Moved[] => {
  const cheapest = cheapestByDay(priced)
  return hours
    .filter(({ amount }) => amount > 0n)
    .toSorted((a, b) => (a.amount === b.amount ? a.fromMs - b.fromMs : a.amount < b.amount ? 1 : -1))
    .slice(0, count)
    .map((hour) => {
      const found = cheapest.get(localDateOf(hour.fromMs)) ?? { fromMs: hour.fromMs, price: hour.price }
      const saved = hour.amount - found.price * BigInt(hour.wh)
      return { ...hour, cheapest: found, saved: saved > 0n ? saved : 0n }
    })
}
