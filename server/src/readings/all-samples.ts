import { dayMs, type Span } from '@gridmast/contract/time.ts'
import type { Samples } from './held-series.ts'
import type { Readings } from './readings.ts'

/** All samples of a span, over several answers of the store; for spans that fit into memory. A series without a number is empty. */
export const readAllSamples = async (
  source: Pick<Readings, 'samples'>,
  signalNos: readonly (number | undefined)[],
  { fromMs, toMs }: Span,
): Promise<Samples[]> => {
  const nos = signalNos.flatMap((no) => no ?? [])
  const found = new Map(nos.map((no): [number, Samples] => [no, { x: [], y: [] }]))
  for (let atMs = fromMs; atMs < toMs && nos.length > 0;) {
    const answer = await source.samples({ signalNos: nos, fromMs: atMs, toMs: Math.min(toMs, atMs + dayMs) })
    for (const [no, { x, y }] of answer.series) {
      const all = found.get(no)
      for (let i = 0; all && i < x.length; i++) {
        all.x.push(x[i] ?? 0)
        all.y.push(y[i] ?? 0)
      }
    }
    atMs = answer.toMs
  }
  return signalNos.map((no) => (no === undefined ? undefined : found.get(no)) ?? { x: [], y: [] })
}
