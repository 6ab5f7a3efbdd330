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

export type Scheme = 'light' | 'dark'

/** Neutral and semantic colours; ratios are in docs. Green and red mean direction or state only, never without a shape or word. */
const light = {
  page: '#f6f7f9',
  card: '#ffffff',
  raised: '#ffffff',
  sub: '#f2f4f6',
  'sub-raised': '#f2f4f6',
  hover: '#f5f6f8',
  'hover-raised': '#f5f6f8',
  line: '#e7eaee',
  line2: '#d5dae1',
  field: '#858f9e',
  ink1: '#10161f',
  ink2: '#475160',
  ink3: '#667080',
  up: '#13653b',
  'up-tint': '#e7f4ec',
  down: '#b42318',
  'down-tint': '#fdecea',
  warn: '#7d5200',
  'warn-tint': '#fff4d9',
  warnrow: '#fffaec',
  tip: '#10161f',
  'tip-ink': '#eef1f5',
  scrim: 'rgba(16,22,31,.42)',
  'grid-line': '#eceff3',
  'base-line': '#c9d0d9',
  'on-down': '#ffffff',
  'shadow-card': '0 0 0 1px rgba(16,22,31,.055), 0 1px 2px rgba(16,22,31,.045)',
  'shadow-overlay': '0 0 0 1px rgba(16,22,31,.08), 0 18px 48px -12px rgba(16,22,31,.28)',
}

const dark: typeof light = {
  page: '#0d1014',
  card: '#14181d',
  raised: '#1b2027',
  sub: '#1c2128',
  'sub-raised': '#252b33',
  hover: '#1a1f26',
  'hover-raised': '#222830',
  line: '#232830',
  line2: '#343b45',
  field: '#667180',
  ink1: '#e9ecf0',
  ink2: '#aeb6c1',
  ink3: '#8a94a2',
  up: '#5cc48d',
  'up-tint': '#14291f',
  down: '#f58a80',
  'down-tint': '#331c1b',
  warn: '#e3b65a',
  'warn-tint': '#2a2314',
  warnrow: '#1d1b14',
  tip: '#2a3038',
  'tip-ink': '#eef1f5',
  scrim: 'rgba(4,6,9,.62)',
  'grid-line': '#20252c',
  'base-line': '#3a424d',
  'on-down': '#0b0e12',
  'shadow-card': '0 0 0 1px rgba(255,255,255,.055)',
  'shadow-overlay': '0 0 0 1px rgba(255,255,255,.1), 0 24px 60px -12px rgba(0,0,0,.7)',
}

export const neutral = { light, dark }

/** Chart colours 2 to 6 in order of use; colour 1 follows the customer. Six is for required, expected and baseline, dashed. */
export const dataColours = {
  light: ['#d87330', '#2f9c8a', '#5b3a80', '#a3527f', '#4f5763'],
  dark: ['#f0a070', '#74d4c3', '#a684cf', '#dc7496', '#a3abb6'],
} as const
