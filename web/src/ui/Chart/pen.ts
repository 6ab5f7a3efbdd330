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
