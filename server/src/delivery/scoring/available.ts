import { bidSlots } from '@gridmast/contract/bid-slots.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { addDays, today, type LocalDate } from '@gridmast/contract/time.ts'

export type SlotsKw = (number | null)[]

const forecastDays = 7
const fewestDays = 3

const lesser = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : Math.min(a, b))

/** Mean kW of each slot of consecutive days, by day (rules: available.md). */
export const measuredAvailable = async (
  readings: { buckets: (query: { signalNo: number; edgesMs: number[] }) => Promise<{ count: number; sum: number }[]> },
  { up, down }: { up: number; down: number },
  market: string,
  days: readonly LocalDate[],
): Promise<Map<LocalDate, SlotsKw>> => {
  const cut = days.map((day) => ({ day, slots: bidSlots(market, day) }))
  const edgesMs = [...new Set(cut.flatMap(({ slots }) => slots.flatMap(({ fromMs, toMs }) => [fromMs, toMs])))]
  const meansOf = async (signalNo: number) => {
    const buckets = edgesMs.length > 1 ? await readings.buckets({ signalNo, edgesMs }) : []
    return new Map(buckets.map(({ count, sum }, i) => [edgesMs[i], count > 0 ? sum / count : null]))
  }
  const direction = isMarket(market) ? markets[market].direction : 'up'
  const [upward, downward] = await Promise.all([
    direction === 'down' ? null : meansOf(up),
    direction === 'up' ? null : meansOf(down),
  ])
  const at = (fromMs: number): number | null => {
    if (!upward) return downward?.get(fromMs) ?? null
    const ready = upward.get(fromMs) ?? null
    return downward ? lesser(ready, downward.get(fromMs) ?? null) : ready
  }
  return new Map(
    cut.map(({ day, slots }) => [day, slots.map(({ fromMs, toMs }) => (toMs > fromMs ? at(fromMs) : null))]),
  )
}

export const daysBefore = (nowMs: number): LocalDate[] => {
  const first = addDays(today(nowMs), -forecastDays)
  return Array.from({ length: forecastDays }, (_, i) => addDays(first, i))
}

/** Forecast kW of each slot of a day, from the measurements of the days before; null with too few days. */
export const forecastOf = (measured: readonly SlotsKw[], slots: number): SlotsKw =>
  Array.from({ length: slots }, (_, slot) => {
    const values = measured.flatMap((day) => day[slot] ?? [])
    return values.length < fewestDays ? null : Math.min(...values)
  })

/** MW to bid of a forecast, as exact decimal text in whole tenths. */
export const bidMwOf = (forecastKw: number | null): string =>
  forecastKw === null ? '0' : String(Math.max(0, Math.floor(forecastKw / 100 + 1e-9)) / 10)
