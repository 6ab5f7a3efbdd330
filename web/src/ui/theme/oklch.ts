/** sRGB <-> OKLCH, for a ladder of shades. Matrices: Björn Ottosson, "A perceptual color space for image processing". */
export type Oklch = { l: number; c: number; h: number }
type Rgb = [number, number, number]

const toLinear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const toGamma = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055)

export const rgbOf = (hex: string): Rgb => {
  const n = Number.parseInt(hex.slice(1), 16)
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
}

const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((v) =>
      Math.round(Math.min(1, Math.max(0, v)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

export const oklchOf = (hex: string): Oklch => {
  const [r, g, b] = rgbOf(hex).map((v) => toLinear(v / 255)) as Rgb // map keeps the length
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, bb), h: Math.atan2(bb, a) }
}

const linearOf = ({ l, c, h }: Oklch): Rgb => {
  const a = c * Math.cos(h)
  const b = c * Math.sin(h)
  const ll = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const mm = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const ss = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * ll - 3.3077115913 * mm + 0.2309699292 * ss,
    -1.2684380046 * ll + 2.6097574011 * mm - 0.3413193965 * ss,
    -0.0041960863 * ll - 0.7034186147 * mm + 1.707614701 * ss,
  ]
}

const inGamut = (color: Oklch) => linearOf(color).every((v) => v >= -1e-6 && v <= 1 + 1e-6)

export const hexOfOklch = (color: Oklch): string => hexOf(linearOf(color).map(toGamma) as Rgb) // map keeps the length

/** The maximum chroma in sRGB at this lightness and hue. */
export const maxChroma = (l: number, h: number): number => {
  let low = 0
  let high = 0.5
  for (let i = 0; i < 40; i++) {
    const mid = (low + high) / 2
    if (inGamut({ l, c: mid, h })) low = mid
    else high = mid
  }
  return low
}

const luminance = (hex: string) => {
  const [r, g, b] = rgbOf(hex).map((v) => toLinear(v / 255)) as Rgb // map keeps the length
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG 2.2 contrast ratio of two opaque colours. */
export const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** `share` of `over` mixed into `base`, as `color-mix(in oklab, ...)`. */
export const mix = (over: string, share: number, base: string): string => {
  const lab = (hex: string) => {
    const { l, c, h } = oklchOf(hex)
    return { l, a: c * Math.cos(h), b: c * Math.sin(h) }
  }
  const [x, y] = [lab(over), lab(base)]
  const at = (p: number, q: number) => p * share + q * (1 - share)
  const [a, b] = [at(x.a, y.a), at(x.b, y.b)]
  return hexOfOklch({ l: at(x.l, y.l), c: Math.hypot(a, b), h: Math.atan2(b, a) })
}
