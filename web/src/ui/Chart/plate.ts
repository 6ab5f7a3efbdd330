/** Words on a plate over what is drawn. The engine's own text background comes to lie under columns, so the plate is a shape of its own. */
type Shape = Record<string, unknown>
export type Box = { left: number; right: number; top: number; bottom: number }

export const fontOf = (size: number, weight = 400) => `${weight} ${size}px 'Inter Variable', Inter, sans-serif`

let ruler: CanvasRenderingContext2D | null = null
const textWidth = (words: string, font = fontOf(11)): number => {
  ruler ??= document.createElement('canvas').getContext('2d')
  if (!ruler) return words.length * 6
  ruler.font = font
  return ruler.measureText(words).width
}

export const plateHeight = 16
const padding = 4

export const plateWidth = (words: string) => textWidth(words) + 2 * padding

/** `left` and the middle `y` of the plate. */
export const plate = (left: number, y: number, words: string, colours: { ink: string; card: string }): Shape[] => [
  {
    type: 'rect',
    shape: { x: left, y: y - plateHeight / 2, width: plateWidth(words), height: plateHeight, r: 4 },
    style: { fill: colours.card },
  },
  {
    type: 'text',
    style: {
      x: left + padding,
      y,
      text: words,
      font: fontOf(11),
      verticalAlign: 'middle',
      align: 'left',
      fill: colours.ink,
    },
  },
]

/** The rightmost left edge of a plate of this width that covers none of the boxes; null when there is none. */
export const clearLeft = (
  { left, right }: Pick<Box, 'left' | 'right'>,
  width: number,
  boxes: readonly Box[],
): number | null => {
  const candidates = [right - width, ...boxes.map((box) => box.left - width)].toSorted((a, b) => b - a)
  const isClear = (at: number) => boxes.every((box) => box.right <= at || box.left >= at + width)
  return candidates.find((at) => at >= left && at <= right - width && isClear(at)) ?? null
}
