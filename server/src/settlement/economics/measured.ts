import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import type { Readings } from '#readings/readings.ts'
import { aroundMs, type DayMeasured, pieceMs } from './availability.ts'

export type Signals = Record<'power' | 'capacityUp' | 'capacityDown' | 'setPoint', number | null>

export type Direction = 'up' | 'down' | 'both'

/** `aFRR-INC` is sold upward, FCR both ways. */
export const directionOf = (product: string, market: string): Direction => {
  if (product.endsWith('-INC')) return 'up'
  if (product.endsWith('-DEC')) return 'down'
  return isMarket(market) ? markets[market].direction : 'both'
}

const edgesOf = ({ fromMs, toMs }: Span, stepMs: number) =>
  Array.from({ length: (toMs - fromMs) / stepMs + 1 }, (_, i) => fromMs + i * stepMs)

const around = ({ fromMs, toMs }: Span): Span => ({ fromMs: fromMs - aroundMs, toMs: toMs + aroundMs })

type Store = Pick<Readings, 'buckets'>

/** Buckets by their start; the time between days that are not consecutive is one more bucket, which no caller reads. */
export const bucketsOf = async (readings: Store, signalNo: number | null, spans: readonly Span[], stepMs: number) => {
  if (signalNo === null || spans.length === 0) return new Map<number, never>()
  const edgesMs: number[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs))
    for (const edge of edgesOf(span, stepMs)) if (edge > (edgesMs.at(-1) ?? -Infinity)) edgesMs.push(edge)
  const buckets = await readings.buckets({ signalNo, edgesMs })
  return new Map(buckets.map((bucket, i) => [edgesMs[i] ?? 0, bucket]))
}

/** Measurements of an instance on some days, one call per series; for a product in both directions the smaller capacity of the two. */
export const readDays = async (
  readings: Store,
  { power, capacityUp, capacityDown }: Omit<Signals, 'setPoint'>,
  spans: readonly Span[],
): Promise<(span: Span, direction: Direction) => DayMeasured> => {
  const [pieces, up, down] = await Promise.all([
    bucketsOf(readings, power, spans.map(around), pieceMs),
    bucketsOf(readings, capacityUp, spans, hourMs),
    bucketsOf(readings, capacityDown, spans, hourMs),
  ])
  const meanOf = (of: typeof up, atMs: number): number | null => {
    const { count = 0, sum = 0 } = of.get(atMs) ?? {}
    return count > 0 ? sum / count : null
  }
  const ready = (direction: Direction, atMs: number): number | null => {
    const [above, below] = [meanOf(up, atMs), meanOf(down, atMs)]
    if (direction === 'up') return above
    if (direction === 'down') return below
    return above === null || below === null ? null : Math.min(above, below)
  }
  const piecesOf = new Map(
    spans.map((span) => [
      span.fromMs,
      edgesOf(around(span), pieceMs)
        .slice(0, -1)
        .flatMap((atMs) => {
          const { count = 0, firstMs = null, lastMs = null } = pieces.get(atMs) ?? {}
          return firstMs === null || lastMs === null ? [] : { count, firstMs, lastMs }
        }),
    ]),
  )
  return (span, direction) => ({
    span,
    pieces: piecesOf.get(span.fromMs) ?? [],
    availableKw: edgesOf(span, hourMs)
      .slice(0, -1)
      .map((atMs) => ready(direction, atMs)),
  })
}
