import { limits } from '@gridmast/contract/limits.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { Readings } from '#readings/readings.ts'
import type { EquipmentInstance } from './queries.ts'

type Points = { x: number[]; y: (number | null)[] }

/** Base load: mean power from 60 to 5 s before the set point, as in the delivery score (delivery.md). */
const [baseFromMs, baseToMs] = [minuteMs, 5000]

const mostStarts = 24

/** A set point above 0 reduces the load; in a market with down-regulation only it adds load. */
const kwPerPct = ({ flexibleKw, markets: sold }: EquipmentInstance): number => {
  const known = sold.filter(isMarket).map((market) => markets[market].direction)
  const addsLoad = known.length > 0 && known.every((direction) => direction === 'down')
  return ((addsLoad ? 1 : -1) * flexibleKw) / 100
}

const startsOf = ({ x, y }: Points): number[] =>
  x.filter((_, i) => (y[i] ?? 0) !== 0 && i > 0 && y[i - 1] === 0).slice(-mostStarts)

/** Expected kW at each set point: the base before the change from 0, moved by its share of the flexible power; null at rest and where the base is unknown. */
export const expectedAt = ({ x, y }: Points, bases: ReadonlyMap<number, number>, perPct: number): Points => {
  let base: number | undefined
  return {
    x,
    y: y.map((pct, i) => {
      if (pct === 0) base = undefined
      else base = bases.get(x[i] ?? 0) ?? base
      return pct === null || pct === 0 || base === undefined ? null : Math.round(10 * (base + pct * perPct)) / 10
    }),
  }
}

export const readExpected = async (
  readings: Pick<Readings, 'window' | 'buckets'>,
  instance: EquipmentInstance,
  { fromMs, toMs, maxPoints }: Span & { maxPoints: number },
): Promise<Points> => {
  const { power, setPoint } = instance.signals
  if (!power || !setPoint) return { x: [], y: [] }
  const steps = await readings.window({
    signalNo: setPoint.no,
    fromMs: fromMs - limits.commandHoldS * 1000,
    toMs,
    maxPoints,
  })
  const bases = new Map<number, number>()
  for (const startMs of startsOf(steps)) {
    const edgesMs = [startMs - baseFromMs, startMs - baseToMs]
    const [before] = await readings.buckets({ signalNo: power.no, edgesMs })
    if (before && before.count > 0) bases.set(startMs, before.sum / before.count)
  }
  const { x, y } = expectedAt(steps, bases, kwPerPct(instance))
  const first = x.findIndex((tMs) => tMs >= fromMs)
  if (first === -1) return { x: [], y: [] }
  return { x: x.slice(first), y: y.slice(first) }
}
