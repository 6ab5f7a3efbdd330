import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import type { Readings } from '#readings/readings.ts'
import { type DayMeasured, pieceMs } from './availability.ts'

/** Numbers of the series of an instance; one that is not there was never measured. */
export type Signals = { power: number | null; capacityUp: number | null; capacityDown: number | null }

type Direction = 'up' | 'down' | 'both'

/** `aFRR-INC` is sold upward, FCR both ways. */
export const directionOf = (product: string, market: string): Direction => {
  if (product.endsWith('-INC')) return 'up'
  if (product.endsWith('-DEC')) return 'down'
  return isMarket(market) ? markets[market].direction : 'both'
}

const edgesOf = ({ fromMs, toMs }: Span, stepMs: number) =>
  Array.from({ length: (toMs - fromMs) / stepMs + 1 }, (_, i) => fromMs + i * stepMs)

type Store = Pick<Readings, 'buckets'>

const meansOf = async (readings: Store, signalNo: number | null, span: Span): Promise<(number | null)[]> => {
  if (signalNo === null) return []
  const hours = await readings.buckets({ signalNo, edgesMs: edgesOf(span, hourMs) })
  return hours.map(({ count, sum }) => (count > 0 ? sum / count : null))
}

/** What was measured of an instance on a day; for a product both ways the lesser of what stood ready in each. */
export const readDay = async (
  readings: Store,
  signals: Signals,
  span: Span,
): Promise<(direction: Direction) => DayMeasured> => {
  const [pieces, up, down] = await Promise.all([
    signals.power === null ? [] : readings.buckets({ signalNo: signals.power, edgesMs: edgesOf(span, pieceMs) }),
    meansOf(readings, signals.capacityUp, span),
    meansOf(readings, signals.capacityDown, span),
  ])
  const counts = edgesOf(span, pieceMs)
    .slice(1)
    .map((_, i) => pieces[i]?.count ?? 0)
  const ready = (direction: Direction, hour: number): number | null => {
    const [above, below] = [up[hour] ?? null, down[hour] ?? null]
    if (direction === 'up') return above
    if (direction === 'down') return below
    return above === null || below === null ? null : Math.min(above, below)
  }
  return (direction) => ({
    ...{ span, counts },
    availableKw: edgesOf(span, hourMs)
      .slice(1)
      .map((_, hour) => ready(direction, hour)),
  })
}
