import { useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { useMemo } from 'react'
import { schemeColours } from '#ui/theme/customer-colours.ts'
import { type Scheme, dataColours, neutral } from '#ui/theme/tokens.ts'
import type { PaletteIndex } from './model.ts'

export type Palette = {
  data: (index: PaletteIndex) => string
  ink1: string
  ink2: string
  ink3: string
  card: string
  sub: string
  gridLine: string
  baseLine: string
  hatch: string
  onData1: string
}

const paletteOf = (primary: string, scheme: Scheme): Palette => {
  const tokens = neutral[scheme]
  const customer = schemeColours(primary, scheme)
  const rest = dataColours[scheme]
  return {
    data: (index) => (index === 1 ? customer.data : (rest[index - 2] ?? customer.data)),
    ink1: tokens.ink1,
    ink2: tokens.ink2,
    ink3: tokens.ink3,
    card: tokens.card,
    sub: tokens.sub,
    gridLine: tokens['grid-line'],
    baseLine: tokens['base-line'],
    hatch: tokens.line2,
    onData1: scheme === 'light' ? '#ffffff' : '#0b0e12',
  }
}

/** Chart colours for the customer and colour scheme; a canvas cannot read CSS variables. */
export const usePalette = (): Palette => {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const theme = useMantineTheme()
  const shade = theme.primaryShade
  const primary = theme.colors.brand?.[typeof shade === 'number' ? shade : shade.light] ?? ''
  return useMemo(() => paletteOf(primary, scheme), [primary, scheme])
}
