import { contrast, hexOfOklch, maxChroma, mix, oklchOf } from './oklch.ts'
import { type Scheme, neutral } from './tokens.ts'

/** Ten shades of a customer's colour and their roles. The rule: customer-colours.md. */
export type Shades = [string, string, string, string, string, string, string, string, string, string]
export type SchemeColours = {
  fill: string
  onFill: string
  fillHover: string
  link: string
  ring: string
  tint: string
  data: string
}
export type CustomerColours = { shades: Shades; primaryShade: number; light: SchemeColours; dark: SchemeColours }

export const defaultPrimary = '#0b2545'

const ladder = [0.975, 0.945, 0.895, 0.825, 0.74, 0.645, 0.55, 0.46, 0.37, 0.285]
const taper = [0.35, 0.5, 0.65, 0.8, 0.92, 1, 1, 1, 1, 1]
const darkText = '#0b0e12'
const white = '#ffffff'

const shadesOf = (hex: string): { shades: Shades; primaryShade: number } => {
  const { l, c, h } = oklchOf(hex)
  const strength = c < 0.02 ? c / 0.2 : Math.min(0.92, c / maxChroma(l, h))
  const shades = ladder.map((step, i) =>
    hexOfOklch({ l: step, c: Math.min(strength * (taper[i] ?? 1) * maxChroma(step, h), 0.19), h }),
  ) as Shades // the ladder has ten steps
  const distances = ladder.map((step) => Math.abs(step - l))
  const primaryShade = distances.indexOf(Math.min(...distances))
  shades[primaryShade] = hex
  return { shades, primaryShade }
}

/** Text on this colour with a contrast of 4.5, or null. */
export const textOn = (fill: string): string | null => {
  if (contrast(fill, white) >= 4.5) return white
  return contrast(fill, darkText) >= 4.5 ? darkText : null
}

const lightFill = (hex: string, shades: Shades): { fill: string; onFill: string } => {
  let fill = contrast(hex, white) < 1.35 ? shades[7] : hex
  for (let color = oklchOf(fill); textOn(fill) === null;) {
    color = { ...color, l: color.l - 0.01 }
    fill = hexOfOklch(color)
  }
  return { fill, onFill: textOn(fill) ?? white }
}

const lightLink = (hex: string, shades: Shades): string => {
  if (contrast(hex, shades[1]) >= 4.5 && oklchOf(hex).l > 0.3) return hex
  const readable = shades.slice(6).find((s) => contrast(s, shades[1]) >= 4.5 && contrast(s, white) >= 5.5)
  return readable ?? shades[9]
}

const darkLink = (shades: Shades): string =>
  shades
    .slice(0, 5)
    .toReversed()
    .find((s) => contrast(s, neutral.dark.card) >= 6) ?? shades[0]

const build = (hex: string): CustomerColours => {
  const { shades, primaryShade } = shadesOf(hex)
  const light = lightFill(hex, shades)
  return {
    shades,
    primaryShade,
    light: {
      ...light,
      fillHover: mix(light.fill, 0.9, light.onFill),
      link: lightLink(hex, shades),
      ring: shades[5],
      tint: shades[1],
      data: shades[6],
    },
    dark: {
      fill: shades[4],
      onFill: darkText,
      fillHover: mix(shades[4], 0.9, white),
      link: darkLink(shades),
      ring: shades[4],
      tint: mix(shades[4], 0.2, neutral.dark.card),
      data: shades[4],
    },
  }
}

const byHex = new Map<string, CustomerColours>()

/** Invalid colours are replaced by the default navy. */
export const customerColours = (primary: string): CustomerColours => {
  const hex = /^#[0-9a-f]{6}$/i.test(primary) ? primary.toLowerCase() : defaultPrimary
  const colours = byHex.get(hex) ?? build(hex)
  byHex.set(hex, colours)
  return colours
}

export const schemeColours = (primary: string, scheme: Scheme): SchemeColours => customerColours(primary)[scheme]
