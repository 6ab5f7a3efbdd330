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

/** A canvas context in CSS pixels. */
export type Pen = CanvasRenderingContext2D
export type Fill = string | CanvasGradient | CanvasPattern
export type Box = { x: number; y: number; width: number; height: number }

export const fontOf = (size: number, weight = 400) => `${weight} ${size}px 'Inter Variable', Inter, sans-serif`

export const fillBox = (
  pen: Pen,
  { x, y, width, height }: Box,
  fill: Fill,
  { opacity = 1, radius = 0 }: { opacity?: number; radius?: number | number[] } = {},
) => {
  pen.globalAlpha = opacity
  pen.fillStyle = fill
  pen.beginPath()
  pen.roundRect(x, y, width, height, radius)
  pen.fill()
  pen.globalAlpha = 1
}

export const drawLine = (
  pen: Pen,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
  color: string,
  dash: number[] = [],
) => {
  pen.strokeStyle = color
  pen.lineWidth = 1
  pen.setLineDash(dash)
  pen.beginPath()
  pen.moveTo(...from)
  pen.lineTo(...to)
  pen.stroke()
}

export const fillCircle = (pen: Pen, x: number, y: number, radius: number, color: string, opacity = 1) => {
  pen.globalAlpha = opacity
  pen.fillStyle = color
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
  pen.fill()
  pen.globalAlpha = 1
}

type Lettering = { color: string; align?: CanvasTextAlign; font?: string; baseline?: CanvasTextBaseline }

export const write = (
  pen: Pen,
  words: string,
  [x, y]: readonly [x: number, y: number],
  { color, align = 'left', font = fontOf(11), baseline = 'middle' }: Lettering,
) => {
  pen.fillStyle = color
  pen.font = font
  pen.textAlign = align
  pen.textBaseline = baseline
  pen.fillText(words, x, y)
}

export const widthOf = (pen: Pen, words: string, font = fontOf(11)): number => {
  pen.font = font
  return pen.measureText(words).width
}
