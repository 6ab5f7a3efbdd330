import { mix } from './oklch.ts'

/** Carbon intensity in g/kWh and its colour, interpolated in OKLab. Never shown without the number. */
const scale: readonly [gPerKwh: number, colour: string][] = [
  [60, '#2f9e62'],
  [150, '#7fb05a'],
  [250, '#c9b04f'],
  [350, '#b9772f'],
  [500, '#7a4a2b'],
]

export const carbonColour = (gPerKwh: number): string => {
  const above = scale.findIndex(([value]) => gPerKwh <= value)
  const [to, from] = [scale.at(above), scale[above - 1]]
  if (!to) return ''
  if (above < 0 || !from) return to[1]
  return mix(to[1], (gPerKwh - from[0]) / (to[0] - from[0]), from[1])
}
