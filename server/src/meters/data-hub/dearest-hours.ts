import { hourMs, localDateOf, type LocalDate } from '@gridmast/contract/time.ts'
import { pricesOf, totalOf, type Rates } from '#grid/published/cost-of-energy.ts'

/** The most expensive hours, and the saving from moving their energy: dearest-hours.md. */

/** Energy and cost of one full hour; `amount` in 10⁻¹⁴ DKK, `price` in 10⁻⁸ DKK/MWh. */
export type HourCost = { fromMs: number; wh: number; amount: bigint; price: bigint }

type Moved = HourCost & { cheapest: { fromMs: number; price: bigint }; saved: bigint }

export const hourPrice = (fromMs: number, rates: Rates): bigint | null => {
  const prices = pricesOf({ fromMs, toMs: fromMs + hourMs }, rates)
  return typeof prices === 'string' ? null : totalOf(prices)
}

const cheapestByDay = (hours: readonly { fromMs: number; price: bigint }[]) => {
  const cheapest = new Map<LocalDate, { fromMs: number; price: bigint }>()
  for (const hour of hours) {
    const day = localDateOf(hour.fromMs)
    const found = cheapest.get(day)
    if (!found || hour.price < found.price) cheapest.set(day, { fromMs: hour.fromMs, price: hour.price })
  }
  return cheapest
}

/** The most expensive hours, each with the cheapest hour of its local day; `priced` includes hours without a reading, which could be used too. */
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
