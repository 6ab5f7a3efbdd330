import { hourMs } from '@gridmast/contract/time.ts'

export type Part = { part: string } & Record<string, unknown>

export const format = 'gridmast-flight-record/1'

type Series = { readonly x: ArrayLike<number>; readonly y: ArrayLike<number | null> }

const evenStep = (x: readonly number[]): number | null => {
  const step = (x[1] ?? NaN) - (x[0] ?? NaN)
  return x.length > 2 && x.every((at, i) => i === 0 || at - (x[i - 1] ?? 0) === step) ? step : null
}

/** One part per hour of UTC; evenly spaced samples have their first instant and the step, others the milliseconds after it. */
export const seriesParts = (name: string, unit: string, { x, y }: Series): Part[] => {
  const hours = new Map<number, { x: number[]; y: (number | null)[] }>()
  for (let i = 0; i < x.length; i++) {
    const at = x[i] ?? 0
    const hour = Math.floor(at / hourMs) * hourMs
    const known = hours.get(hour) ?? { x: [], y: [] }
    known.x.push(at)
    known.y.push(y[i] ?? null)
    hours.set(hour, known)
  }
  return [...hours].map(([hour, of]) => {
    const [first = hour] = of.x
    const stepMs = evenStep(of.x)
    return {
      part: `${name} ${new Date(hour).toISOString().slice(0, 16)}Z`,
      unit,
      from: new Date(first).toISOString(),
      ...(stepMs === null ? { ms: of.x.map((at) => at - first) } : { stepMs }),
      values: of.y,
    }
  })
}
