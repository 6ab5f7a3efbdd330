import { type Pen, fillBox, widthOf, write } from './pen.ts'

export type Sides = { left: number; right: number }

export const plateHeight = 16
const padding = 4

export const plateWidth = (pen: Pen, words: string) => widthOf(pen, words) + 2 * padding

/** `left` edge and middle `y` of the plate. */
export const drawPlate = (
  pen: Pen,
  left: number,
  y: number,
  words: string,
  colours: { ink2: string; card: string },
) => {
  const box = { x: left, y: y - plateHeight / 2, width: plateWidth(pen, words), height: plateHeight }
  fillBox(pen, box, colours.card, { radius: 4 })
  write(pen, words, [left + padding, y], { color: colours.ink2 })
}

const firstClear = (
  candidates: readonly number[],
  { left, right }: Sides,
  width: number,
  boxes: readonly Sides[],
): number | null => {
  const isClear = (at: number) => boxes.every((box) => box.right <= at || box.left >= at + width)
  return candidates.find((at) => at >= left && at <= right - width && isClear(at)) ?? null
}

/** The rightmost left edge of a plate of this width that covers none of the boxes, or null. */
export const clearLeft = (room: Sides, width: number, boxes: readonly Sides[]): number | null =>
  firstClear(
    [room.right - width, ...boxes.map((box) => box.left - width)].toSorted((a, b) => b - a),
    room,
    width,
    boxes,
  )

/** As `clearLeft`, the leftmost one. */
export const clearFromLeft = (room: Sides, width: number, boxes: readonly Sides[]): number | null =>
  firstClear(
    [room.left, ...boxes.map((box) => box.right)].toSorted((a, b) => a - b),
    room,
    width,
    boxes,
  )

/** The left edge of centred text; next to a vertical line that would cross it, null without space. */
export const clearOfLine = ({ left, right }: Sides, width: number, line: number | null): number | null => {
  const centred = (left + right - width) / 2
  const isCut = line !== null && line > centred && line < centred + width
  const at = !isCut ? centred : line - left > right - line ? line - width : line
  return at >= left && at + width <= right ? at : null
}
