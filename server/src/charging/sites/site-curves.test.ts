import { minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { type Curve, foldCurves } from './site-power.ts'

const span = { fromMs: 0, toMs: 10 * minuteMs }
const line = (name: string, points: [minute: number, kw: number | null][]): Curve => ({
  name,
  unit: 'kW',
  kind: 'line',
  x: points.map(([minute]) => minute * minuteMs),
  y: points.map(([, kw]) => kw),
})
const steady = (name: string, kw: number) =>
  line(
    name,
    Array.from({ length: 10 }, (_, i) => [i + 1, kw]),
  )

test('above the limit of the chart the smaller connectors are summed as others', () => {
  const all = Array.from({ length: 40 }, (_, i) => steady(`C${i}`, i === 7 ? 50 : i))
  const folded = foldCurves(all, 17, span)
  expect(folded).toHaveLength(17)
  expect(folded.map(({ name }) => name)).toEqual([
    'C7',
    ...Array.from({ length: 15 }, (_, i) => `C${i + 25}`),
    'Other connectors',
  ])
  const sum = (curves: readonly Curve[]) => curves.reduce((kw, { y }) => kw + (y[4] ?? 0), 0)
  expect(sum(folded)).toBe(sum(all))
})

test('a connector without samples for three minutes counts 0 among the others', () => {
  const [others] = foldCurves([line('A', [[1, 10]]), line('B', [[2, 4]]), steady('C', 90)], 2, span).slice(-1)
  expect(others).toEqual({
    ...line('Other connectors', [
      [1, 10],
      [2, 14],
      [3, 14],
      [4, 4],
    ]),
  })
})

test('few connectors are unchanged', () => {
  const few = [steady('A', 1), steady('B', 2)]
  expect(foldCurves(few, 2, span)).toEqual(few)
})
