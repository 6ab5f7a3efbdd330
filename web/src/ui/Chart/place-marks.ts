import type { Span } from '@gridmast/contract/time.ts'
import type { ChartMark } from './model.ts'

type Placed = { x: number; marks: ChartMark[] }

/** Marks from left to right; those closer than `roomPx` share one button. A mark that began before the span is at its start. */
export const placeMarks = (
  marks: readonly ChartMark[],
  { fromMs, toMs }: Span,
  x: (ms: number) => number,
  roomPx: number,
): Placed[] => {
  const placed: Placed[] = []
  const shown = marks.filter((mark) => mark.fromMs <= toMs && (mark.toMs ?? mark.fromMs) >= fromMs)
  for (const mark of shown.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const at = x(Math.max(fromMs, mark.fromMs))
    const last = placed.at(-1)
    if (last && at - last.x < roomPx) last.marks.push(mark)
    else placed.push({ x: at, marks: [mark] })
  }
  return placed
}
