import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { drawChart } from './draw.ts'
import type { ChartModel, ChartSeries } from './model.ts'
import { clearOfNow } from './overlay.ts'
import type { Palette } from './palette.ts'
import { plotOf } from './plot.ts'

const palette: Palette = {
  data: (index) => ['#0000ff', '#00aa00', '#ff0000', '#aa00aa', '#00aaaa', '#777777'][index - 1] ?? '',
  ink1: '#111111',
  ink2: '#222222',
  ink3: '#333333',
  card: '#ffffff',
  sub: '#ffff00',
  gridLine: '#eeeeee',
  baseLine: '#999999',
  hatch: '#ff8800',
  onData1: '#ffffff',
}
const day = dayBounds('2026-11-20')
const whole = { width: 640, height: 240 }
const at = (hour: number) => day.fromMs + hour * hourMs

const modelOf = (series: Partial<ChartSeries>, rest: Partial<ChartModel> = {}): ChartModel => ({
  series: [{ name: 'Power', unit: 'kW', kind: 'line', colour: 1, x: [], y: [], ...series }],
  span: day,
  unit: 'kW',
  decimals: 0,
  ...rest,
})

/** Draws a model and checks the colour of pixels around an instant and a value. */
const draw = (model: ChartModel, size = whole) => {
  const canvas = Object.assign(document.createElement('canvas'), size)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  drawChart(pen, model, palette, { span: day, size, words: { now: 'Now', notFromZero: 'not from 0' } })
  const plot = plotOf(model, day, size)
  const coloursAround = (x: number, y: number) => {
    const { data } = pen.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3)
    return Array.from(
      { length: 9 },
      (_, i) => Array.from(data.subarray(4 * i, 4 * i + 4)) as [number, number, number, number],
    )
  }
  const strongest = (x: number, y: number, [r, g, b]: [number, number, number]) =>
    coloursAround(x, y).some(([red, green, blue, alpha]) => {
      const near = (is: number, wanted: number) => Math.abs(is - wanted) < 60
      return alpha > 150 && near(red, r) && near(green, g) && near(blue, b)
    })
  return {
    plot,
    shows: (hour: number, value: number, colour: [number, number, number]) =>
      strongest(plot.x(at(hour)), plot.y(value), colour),
    isEmpty: (x: number, y: number) => coloursAround(x, y).every(([, , , alpha]) => alpha === 0),
  }
}
const blue: [number, number, number] = [0, 0, 255]
const red: [number, number, number] = [255, 0, 0]
const grey: [number, number, number] = [119, 119, 119]

describe('the canvas', () => {
  test('a mark is a line at its time, tints its span, and changes no axis', () => {
    const lines = { x: [at(0), at(24)], y: [0, 0] }
    const mark = { key: 'a', kind: 'note', words: 'Note', colour: 3 as const }
    const marks = [
      { ...mark, fromMs: at(6), toMs: null },
      { ...mark, key: 'b', fromMs: at(12), toMs: at(18) },
      { ...mark, key: 'c', fromMs: at(-5), toMs: at(-3) },
    ]
    const [bare, { plot, shows, isEmpty }] = [draw(modelOf(lines)), draw(modelOf(lines, { marks }))]
    expect(plot.axis).toEqual(bare.plot.axis)
    const dashed = [0.5, 0.52, 0.54, 0.56, 0.58]
    expect([6, 12, 9].map((hour) => dashed.some((value) => shows(hour, value, red)))).toEqual([true, true, false])
    const between = plot.y(0.4)
    expect([9, 15, 21].map((hour) => isEmpty(plot.x(at(hour)), between))).toEqual([true, false, true])
  })

  test('a band starts at the one below it, and ends where no value was measured', () => {
    const band = { kind: 'line' as const, colour: 3 as const, x: [at(0), at(6), at(12), at(18)] }
    const under = [40, 40, 40, 40]
    const { shows } = draw(modelOf({ ...band, y: [20, 20, null, null], under }, { low: 0, high: 100, thresholds: [] }))
    expect([shows(3, 50, red), shows(3, 30, red), shows(9, 50, red), shows(3, 70, red)]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('the area of values on both sides of zero ends at zero, from above and from below', () => {
    const canvas = Object.assign(document.createElement('canvas'), whole)
    const pen = canvas.getContext('2d')
    const model = modelOf({ x: [at(0), at(11), at(12), at(24)], y: [400, 400, -400, -400] })
    if (!pen) throw new Error('no canvas')
    drawChart(pen, model, palette, { span: day, size: whole, words: { now: 'Now', notFromZero: 'not from 0' } })
    const plot = plotOf(model, day, whole)
    const opacity = (hour: number, value: number) =>
      pen.getImageData(Math.round(plot.x(at(hour))), Math.round(plot.y(value)), 1, 1).data[3] ?? 0
    expect([opacity(6, 350), opacity(18, -350)].every((one) => one > 10)).toBe(true)
    expect([opacity(6, -350), opacity(18, 350)]).toEqual([0, 0])
  })

  test('a shortage is filled without holes, though the two lines have no common instant, and not in a gap', () => {
    const canvas = Object.assign(document.createElement('canvas'), whole)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('no canvas')
    const hours = Array.from({ length: 24 }, (_, i) => i)
    const line = { unit: 'kW', kind: 'line' as const }
    const model: ChartModel = {
      ...modelOf({}, { fromZero: true, shortfall: { required: 'Required', delivered: 'Delivered' } }),
      gaps: [{ fromMs: at(14.5), toMs: at(18.5), words: '' }],
      series: [
        { ...line, name: 'Required', colour: 6, x: hours.map(at), y: hours.map(() => 100) },
        {
          ...line,
          name: 'Delivered',
          colour: 1,
          y: [50, 50, 50, 50, 50],
          x: [at(0.5), at(7.7), at(14.5), at(18.5), at(23.5)],
        },
      ],
    }
    drawChart(pen, model, palette, { span: day, size: whole, words: { now: 'Now', notFromZero: 'not from 0' } })
    const plot = plotOf(model, day, whole)
    const isFilled = (hour: number, value: number) =>
      (pen.getImageData(Math.round(plot.x(at(hour))), Math.round(plot.y(value)), 1, 1).data[3] ?? 0) > 20
    expect([3.2, 6.5, 10.4, 12.6, 20.5].map((hour) => isFilled(hour, 80))).toEqual([true, true, true, true, true])
    expect([isFilled(16.5, 80), isFilled(6.5, 30)]).toEqual([false, false])
  })

  test('the words of a window are above its curves, and elsewhere the axis keeps its height', () => {
    const columns = { kind: 'column' as const, slotMs: 12 * 3_600_000, x: [at(0), at(12)], y: [100, 40] }
    const topOf = (fromMs: number, size = whole) =>
      plotOf(modelOf(columns, { thresholds: [], windows: [{ fromMs, toMs: fromMs + 1, words: 'Assumed' }] }), day, size)
    const [high, low] = [topOf(at(0)), topOf(at(12))]
    expect(high.y(100) - high.top).toBeGreaterThan(18)
    expect(low.axis.max).toBe(100)
    const flat = topOf(at(0), { width: 640, height: 130 })
    expect(flat.y(100) - flat.top).toBeGreaterThan(15)
  })

  test('the highest value does not overlap the word of the now line', () => {
    const placed = (hour: number, end: number) => {
      const model = modelOf({ x: [at(0)], y: [1] }, { nowMs: at(hour) })
      const plot = plotOf(model, day, whole)
      const line = plot.x(at(hour))
      return [-60, -20, 10].map((from) =>
        Math.round(clearOfNow(model, plot, { left: line + from, right: plot.x(at(end)) }, 50) - line),
      )
    }
    expect(placed(12, 13)).toEqual([3, 3, 10])
    expect(placed(23.5, 24)).toEqual([-90, -90, 10])
    // The column ends before the line: its value is not moved over the next column, if there is space.
    expect(placed(12, 12)).toEqual([-90, -90, 10])
    expect(placed(12, 11)).toEqual([-90, -90, 10])
    expect(placed(1, 1)).toEqual([3, 3, 10])
  })

  test('a line runs through its points and between them', () => {
    const picture = draw(modelOf({ x: [at(0), at(12), at(24)], y: [0, 100, 0] }))
    expect([picture.shows(12, 100, blue), picture.shows(6, 50, blue), picture.shows(18, 50, blue)]).toEqual([
      true,
      true,
      true,
    ])
    expect(picture.shows(12, 30, blue)).toBe(false)
  })
  test('a named instant has a line from top to bottom', () => {
    const values = { x: [at(0), at(24)], y: [0, 0] }
    const dark: [number, number, number] = [34, 34, 34]
    const marked = draw(modelOf(values, { low: 0, high: 100, moment: { atMs: at(6), words: 'Triggered' } }))
    expect([marked.shows(6, 95, dark), marked.shows(6, 50, dark), marked.shows(12, 50, dark)]).toEqual([
      true,
      true,
      false,
    ])
  })
  test('a line is broken where no value was measured, and hatched there on request', () => {
    const values = { x: [at(0), at(6), at(18), at(24)], y: [50, 50, 50, 50] }
    const gap = { fromMs: at(6), toMs: at(18), words: '' }
    const broken = draw(modelOf(values, { low: 0, high: 100, gaps: [gap] }))
    expect([3, 12, 21].map((hour) => broken.shows(hour, 50, blue))).toEqual([true, false, true])
    const whole = draw(modelOf(values, { low: 0, high: 100 }))
    expect(whole.shows(12, 50, blue)).toBe(true)
    const missing = draw(modelOf({ x: [at(0), at(6), at(12), at(24)], y: [50, 50, null, 50] }, { low: 0, high: 100 }))
    expect([3, 9, 15].map((hour) => missing.shows(hour, 50, blue))).toEqual([true, false, false])
  })
  test('a step keeps its value until the next one', () => {
    const picture = draw(modelOf({ kind: 'step', x: [at(0), at(12), at(24)], y: [20, 80, 80] }, { low: 0, high: 100 }))
    expect([picture.shows(11, 20, blue), picture.shows(12, 50, blue), picture.shows(13, 80, blue)]).toEqual([
      true,
      true,
      true,
    ])
    expect(picture.shows(6, 50, blue)).toBe(false)
  })
  test('estimated values are drawn in dashes', () => {
    const x = Array.from({ length: 25 }, (_, hour) => at(hour))
    const series = { x, y: x.map(() => 50), estimated: [{ fromMs: at(12), toMs: at(24) }] }
    const picture = draw(modelOf(series, { low: 0, high: 100 }))
    const count = (fromHour: number) =>
      Array.from({ length: 60 }, (_, i) => fromHour + 1 + i / 6).filter((hour) => picture.shows(hour, 50, blue)).length
    expect(count(0)).toBe(60)
    expect(count(12)).toBeGreaterThan(20)
    expect(count(12)).toBeLessThan(60)
  })
  test('columns reach from zero to their values, negative ones in their own colour', () => {
    const series = { kind: 'column' as const, slotMs: 6 * hourMs, x: [at(0), at(6), at(12)], y: [100, -100, null] }
    const picture = draw(modelOf(series))
    expect([picture.shows(3, 50, blue), picture.shows(9, -50, red)]).toEqual([true, true])
    expect([picture.shows(3, -50, blue), picture.shows(9, 50, red), picture.shows(15, 50, blue)]).toEqual([
      false,
      false,
      false,
    ])
  })
  test('the words of a figure of the chart do not overlap the line of now', () => {
    const values = { kind: 'column' as const, slotMs: 24 * hourMs, x: [at(0)], y: [10] }
    const average = { name: 'Average', value: 50, plate: 'above', side: 'right' } as const
    const bounds = { low: 0, high: 100, thresholds: [average] }
    const isFree = (picture: ReturnType<typeof draw>) =>
      picture.isEmpty(picture.plot.x(at(23.7)), picture.plot.y(50) - 14)
    expect(isFree(draw(modelOf(values, bounds)))).toBe(false)
    expect(isFree(draw(modelOf(values, { ...bounds, nowMs: at(23) })))).toBe(true)
  })
  test.each([
    ['above its line', 200],
    ['along its left end', 112],
  ])('the plate of a threshold does not cover values %s', (_, value) => {
    const x = Array.from({ length: 240 }, (__, i) => day.fromMs + i * 360_000)
    const model = modelOf(
      { x, y: x.map((___, i) => (i < 60 ? value : 50)) },
      { low: 0, high: 200, thresholds: [{ name: 'Limit', value: 100, plate: 'above' }] },
    )
    const { shows } = draw(model)
    const hours = Array.from({ length: 22 }, (__, i) => 0.5 + i / 4)
    expect(hours.filter((hour) => !shows(hour, value, blue))).toEqual([])
  })

  test('the last time below a chart is written in whole', () => {
    const size = { width: 240, height: 160 }
    const canvas = Object.assign(document.createElement('canvas'), size)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('no canvas')
    const ends: number[] = []
    const write = pen.fillText.bind(pen)
    pen.fillText = (words, x, y) => {
      if (/^\d\d:\d\d/.test(words)) ends.push(x + pen.measureText(words).width)
      write(words, x, y)
    }
    const span = { fromMs: day.fromMs, toMs: day.fromMs + 120_500 }
    drawChart(pen, modelOf({ x: [span.fromMs, span.toMs], y: [1, 2] }, { span }), palette, {
      span,
      size,
      words: { now: 'Now', notFromZero: 'not from 0' },
    })
    expect(ends.length).toBeGreaterThan(1)
    expect(Math.max(...ends)).toBeLessThanOrEqual(size.width)
  })

  test('no value is drawn outside the plot', () => {
    const picture = draw(modelOf({ x: [at(-6), at(30)], y: [-400, 500] }, { low: 0, high: 100, bare: true }))
    const { plot } = picture
    const right = Math.min(whole.width - 2, plot.left + plot.width + 4)
    for (let y = 4; y < whole.height - 4; y += 8) expect(picture.isEmpty(right, y)).toBe(true)
    for (let x = 4; x < whole.width - 4; x += 8) expect(picture.isEmpty(x, plot.top - 4)).toBe(true)
  })
  test('a line of another unit has an axis of its own on the right, its points in the middle of their slots', () => {
    const slots = { slotMs: 6 * hourMs, x: [at(0), at(6), at(12)] }
    const columns = modelOf({ ...slots, kind: 'column', y: [100, 50, 50] })
    const cost: ChartSeries = {
      ...slots,
      y: [10, 40, null],
      name: 'Cost',
      unit: 'DKK',
      kind: 'line',
      colour: 2,
      side: 'right',
      centred: true,
    }
    const picture = draw({ ...columns, series: [...columns.series, cost] })
    const green: [number, number, number] = [0, 170, 0]
    // The left axis ends at 100, the right one at 40.
    expect([picture.shows(3, 25, green), picture.shows(9, 100, green), picture.shows(15, 50, green)]).toEqual([
      true,
      true,
      false,
    ])
    const right = ({ isEmpty, plot }: ReturnType<typeof draw>) =>
      Array.from({ length: 20 }, (_, i) => plot.left + plot.width + 8 + i).some((x) => !isEmpty(x, plot.y(0)))
    expect([right(picture), right(draw(columns))]).toEqual([true, false])
  })
  test('the compared columns are behind the others and wider', () => {
    const slots = { kind: 'column' as const, slotMs: 6 * hourMs, x: [at(6)] }
    const model = modelOf({ ...slots, y: [50] })
    const before: ChartSeries = { ...slots, y: [100], name: 'Before', unit: 'kW', colour: 6, behind: true }
    const picture = draw({ ...model, series: [before, ...model.series] })
    const left = (hour: number, value: number) => !picture.isEmpty(picture.plot.x(at(hour)), picture.plot.y(value))
    expect(picture.shows(9, 25, blue)).toBe(true)
    expect([left(6.5, 25), picture.shows(6.5, 25, blue), left(9, 90)]).toEqual([true, false, true])
  })
  test('an estimated column is an outline in dashes over a tint', () => {
    const series = { kind: 'column' as const, slotMs: 6 * hourMs, x: [at(0), at(6)], y: [100, 100] }
    const picture = draw(modelOf({ ...series, estimated: [{ fromMs: at(6), toMs: at(12) }] }))
    expect([picture.shows(3, 50, blue), picture.shows(9, 50, blue)]).toEqual([true, false])
    expect(picture.isEmpty(picture.plot.x(at(9)), picture.plot.y(50))).toBe(false)
  })
  test('stale values turn grey', () => {
    const values = { x: [at(0), at(24)], y: [50, 50] }
    expect(draw(modelOf(values, { low: 0, high: 100, stale: true })).shows(12, 50, grey)).toBe(true)
  })
  test('a chart without data has no numbers on its axis, one with data has', () => {
    const unknown = draw(modelOf({}))
    const filled = draw(modelOf({ x: [at(0), at(24)], y: [0, 100] }))
    const numbers = ({ isEmpty, plot }: ReturnType<typeof draw>) =>
      Array.from({ length: 26 }, (_, i) => plot.left - 30 + i).some((x) => !isEmpty(x, plot.y(plot.axis.max)))
    expect([numbers(unknown), numbers(filled)]).toEqual([false, true])
  })
  test('numbers of a low chart do not overlap', () => {
    const low = draw(modelOf({ x: [at(0), at(24)], y: [0, 100] }), { width: 640, height: 84 })
    const isEmptyAt = (value: number) =>
      Array.from({ length: 26 }, (_, i) => low.plot.left - 30 + i).every((x) => low.isEmpty(x, low.plot.y(value)))
    expect([100, 75, 50, 25, 0].map(isEmptyAt)).toEqual([false, true, false, true, false])
  })
})
