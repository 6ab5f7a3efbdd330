import { describe, expect, test } from 'vitest'
import { customerColours, textOn } from './customer-colours.ts'
import { contrast, rgbOf } from './oklch.ts'
import { dataColours, neutral } from './tokens.ts'

const table: [hex: string, shades: string, fillText: 'white' | 'dark', ratio: number][] = [
  ['#0b2545', 'f5f7f9 e8edf4 d1deee afc8e9 82aee7 4a8fe5 3172c1 255898 184070 0b2545', 'white', 15.4],
  ['#6a2c70', 'f8f6f9 f2e9f3 ead4eb e1b4e5 d888df c45dcd a046a9 7d3584 6a2c70 3f1742', 'white', 9.5],
  ['#00a3ad', 'f0f9f9 d8f3f5 a3ebf1 69dae3 44bec8 00a3ad 1d8087 14646a 0c494d 053034', 'dark', 6.3],
  ['#f2b705', 'f9f6f0 f5ecd9 f1daa9 f2b705 d0a43d af8721 8d6c19 6e5411 513c09 362804', 'dark', 10.6],
  ['#d7263d', 'f9f6f6 f5eae9 f1d4d3 f1b4b2 f38786 eb5059 d7263d a11a2b 77101e 520811', 'white', 5.0],
]

describe.each(table)('customer colour %s', (hex, expected, fillText, ratio) => {
  const colours = customerColours(hex)

  test('ten shades are those of the design table, within one per channel', () => {
    expected.split(' ').forEach((wanted, i) => {
      const off = rgbOf(colours.shades[i] ?? '#000000').map((v, k) => Math.abs(v - (rgbOf(`#${wanted}`)[k] ?? 0)))
      expect(Math.max(...off), `shade ${i}: ${colours.shades[i]} against #${wanted}`).toBeLessThanOrEqual(1)
    })
  })

  test('the exact hex keeps its place and its text is readable', () => {
    expect(colours.shades[colours.primaryShade]).toBe(hex)
    expect(colours.light.onFill).toBe(fillText === 'white' ? '#ffffff' : '#0b0e12')
    expect(contrast(colours.light.fill, colours.light.onFill)).toBeCloseTo(ratio, 1)
  })

  test('links and dark fills pass their guards', () => {
    expect(contrast(colours.light.link, colours.light.tint)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colours.light.link, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colours.dark.link, neutral.dark.card)).toBeGreaterThanOrEqual(6)
    expect(contrast(colours.dark.fill, colours.dark.onFill)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colours.light.ring, '#ffffff')).toBeGreaterThanOrEqual(3)
  })
})

test('navy uses shade 7 as its link and shade 9 as its own place', () => {
  const navy = customerColours('#0b2545')
  expect(navy.light.link).toBe(navy.shades[7])
  expect(navy.primaryShade).toBe(9)
})

test('a nearly white or malformed colour still gives a visible fill', () => {
  expect(contrast(customerColours('#fefefe').light.fill, '#ffffff')).toBeGreaterThan(1.35)
  expect(customerColours('red').shades).toEqual(customerColours('#0b2545').shades)
})

test('a middle grey, on which neither text reaches 4.5, is darkened until one does', () => {
  const { fill, onFill } = customerColours('#7a7a7a').light
  expect(contrast(fill, onFill)).toBeGreaterThanOrEqual(4.5)
})

test.each(['light', 'dark'] as const)('text on each chart colour and on red is readable (%s)', (scheme) => {
  for (const colour of [...dataColours[scheme], customerColours('#0b2545')[scheme].data, neutral[scheme].ink2])
    expect(contrast(colour, textOn(colour) ?? colour), colour).toBeGreaterThanOrEqual(4.5)
  expect(contrast(neutral[scheme].down, neutral[scheme]['on-down'])).toBeGreaterThanOrEqual(4.5)
})
