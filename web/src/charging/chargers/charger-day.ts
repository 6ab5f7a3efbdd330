import type { chargerOverview } from '@gridmast/contract/charging/ev-charging.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { Series } from '@gridmast/contract/series.ts'
import { dayBounds, hourMs, type LocalDate, minuteMs } from '@gridmast/contract/time.ts'
import { valueAxis } from '#ui/Chart/shape.ts'
import type { ChartModel, PaletteIndex } from '#ui/Chart/model.ts'

/** The three charts of a connector on a day. */

type Overview = Data<typeof chargerOverview>

/** A charger measures at least so often while a car is plugged in; between sessions it measures nothing. */
const betweenMs = 16 * minuteMs

/** The line ends with the session, and the next one begins anew. */
const broken = ({ x, y, ...series }: Series): Series => {
  const parts = x.flatMap((ms, i): [number, number | null][] => {
    const before = x[i - 1]
    const point: [number, number | null] = [ms, y[i] ?? null]
    return before !== undefined && ms - before > betweenMs ? [[before + 1, null], point] : [point]
  })
  return { ...series, x: parts.map(([ms]) => ms), y: parts.map(([, value]) => value) }
}

const colours: readonly PaletteIndex[] = [1, 2, 4, 3]

export const powerModel = (
  { powerData }: Overview,
  { date, isToday, limit }: { date: LocalDate; isToday: boolean; limit: { name: string; kw: number } },
): ChartModel => ({
  span: dayBounds(date),
  unit: 'kW',
  decimals: 1,
  low: 0,
  // Room for the limit and its name.
  high: valueAxis([limit.kw * 1.05], { fromZero: true }).max,
  series: powerData.map((one, i) => ({
    ...broken(one),
    // The total first, then its phases.
    colour: colours[i] ?? 6,
    ...(one.kind === 'step' ? { slotMs: 15 * minuteMs } : {}),
  })),
  thresholds: [{ name: limit.name, value: limit.kw, plate: 'above' }],
  ...(isToday ? { liveEnd: 'dot' } : {}),
})

export const consumptionModel = ({ consumptionData }: Overview, date: LocalDate): ChartModel => ({
  span: dayBounds(date),
  unit: 'kWh',
  decimals: 2,
  fromZero: true,
  series: consumptionData.map((one) => ({ ...one, colour: 1, slotMs: hourMs })),
  timeLabels: 'hour',
})

export const socModel = (
  { SocData }: Overview,
  { date, isToday }: { date: LocalDate; isToday: boolean },
): ChartModel => ({
  span: dayBounds(date),
  unit: '%',
  decimals: 0,
  low: 0,
  high: 100,
  series: SocData.map((one) => ({ ...broken(one), colour: 3 })),
  ...(isToday ? { liveEnd: 'dot' } : {}),
})

/** kWh of the day; null where nothing was read. */
export const totalOf = ({ consumptionData }: Overview): number | null => {
  const known = (consumptionData[0]?.y ?? []).filter((one) => one !== null)
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
}
