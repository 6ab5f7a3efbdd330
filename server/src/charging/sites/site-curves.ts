import { minuteMs, type Span } from '@gridmast/contract/time.ts'

export type Curve = { name: string; unit: string; kind: 'line' | 'step'; x: number[]; y: (number | null)[] }

const freshMs = 3 * minuteMs

const sumOf = ({ y }: Curve): number => y.reduce<number>((sum, kw) => sum + (kw ?? 0), 0) / Math.max(1, y.length)

const together = (curves: readonly Curve[], { fromMs, toMs }: Span): Pick<Curve, 'x' | 'y'> => {
  const x = Array.from({ length: Math.floor((toMs - fromMs) / minuteMs) }, (_, i) => fromMs + (i + 1) * minuteMs)
  const y: (number | null)[] = x.map(() => null)
  for (const curve of curves) {
    let next = 0
    for (const [i, ms] of x.entries()) {
      while (next < curve.x.length && (curve.x[next] ?? Infinity) <= ms) next++
      const at = curve.x[next - 1]
      const kw = at !== undefined && ms - at < freshMs ? (curve.y[next - 1] ?? null) : null
      if (kw !== null) y[i] = (y[i] ?? 0) + kw
    }
  }
  const known = y.flatMap((kw, i) => (kw === null ? [] : [i]))
  return { x: known.map((i) => x[i] ?? 0), y: known.map((i) => y[i] ?? null) }
}

/** The `most` - 1 largest curves in their own order and the sum of all others: the bands still add up to the total of the site. */
export const foldCurves = (curves: readonly Curve[], most: number, span: Span): Curve[] => {
  if (curves.length <= most) return [...curves]
  const kept = new Set(curves.toSorted((a, b) => sumOf(b) - sumOf(a)).slice(0, most - 1))
  const rest = curves.filter((one) => !kept.has(one))
  const others: Curve = { name: 'Other connectors', unit: 'kW', kind: 'line', ...together(rest, span) }
  return [...curves.filter((one) => kept.has(one)), others]
}
