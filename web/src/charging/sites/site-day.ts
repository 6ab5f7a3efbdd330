import { siteStepMs } from '@gridmast/contract/charging/charging-sites.ts'
import type { Series } from '@gridmast/contract/series.ts'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { ChartModel, ChartSeries, PaletteIndex } from '#ui/Chart/model.ts'
import { indexAt, valueAxis } from '#ui/Chart/shape.ts'

/** A day or a range of a site: its connectors as bands on each other, their total, and the limit above. */

/** Without a newer power for three steps a connector is silent. */
const freshSteps = 3
/** The first is the total's, the sixth is for what is only reserved. */
const colours: readonly PaletteIndex[] = [3, 4, 2, 5]
/** Connectors beyond the most that a chart shows, as the call names them. */
const otherConnectors = 'Other connectors'
/** Three phases of 230 V. */
const voltsOfPhases = 690

export const kwOf = (amperes: number): number => (amperes * voltsOfPhases) / 1000
export const amperesOf = (kw: number): number => Math.floor((kw * 1000) / voltsOfPhases + 1e-9)

const colourOf = (i: number): PaletteIndex => colours[i % colours.length] ?? 3

/** The newest value of each step. */
const byStep = ({ x, y }: Series, steps: readonly number[], freshMs: number): (number | null)[] =>
  steps.map((ms) => {
    const i = indexAt(x, ms)
    const at = x[i]
    return at !== undefined && ms - at < freshMs ? (y[i] ?? null) : null
  })

/** Each on top of those before it, on the same steps. */
export const bandsOf = (curves: readonly Series[], steps: readonly number[]): ChartSeries[] => {
  let below = steps.map(() => 0)
  return curves.map((curve, i) => {
    const y = byStep(curve, steps, freshSteps * minuteMs)
    const under = below
    below = under.map((low, k) => low + (y[k] ?? 0))
    const customerText = curve.name === otherConnectors ? {} : { isCustomerText: true as const }
    return { ...curve, ...customerText, x: [...steps], y, under, colour: colourOf(i) }
  })
}

/** A line that ends when values are missing for a while. */
const broken = ({ x, y, ...series }: Series, freshMs: number): Series => {
  const points = x.flatMap((ms, i): [number, number | null][] => {
    const before = x[i - 1]
    const point: [number, number | null] = [ms, y[i] ?? null]
    return before !== undefined && ms - before > freshMs ? [[before + freshMs, null], point] : [point]
  })
  return { ...series, x: points.map(([ms]) => ms), y: points.map(([, value]) => value) }
}

type Window = { span: Span; nowMs: number; limit: { name: string; kw: number } }

const named = (chart: readonly Series[], name: string) => chart.find((one) => one.name === name)
const measuredValues = (series: Series | undefined) => (series?.y ?? []).filter((one) => one !== null)

/** `chart` as the call answers it: the site's own series, then its connectors. */
export const siteModel = (chart: readonly Series[], { span, nowMs, limit }: Window): ChartModel => {
  const stepMs = siteStepMs(span)
  const freshMs = stepMs === minuteMs ? freshSteps * minuteMs : stepMs
  const [limits, total, held] = ['Limit', 'Total', 'Reserved'].map((name) => named(chart, name))
  const siteSeries = new Set([limits, total, held])
  const curves = chart.filter((one) => !siteSeries.has(one))
  const endMs = Math.min(span.toMs, nowMs)
  // Without connectors in a longer window.
  const steps = Array.from(
    { length: curves.length === 0 ? 0 : Math.max(0, Math.ceil((endMs - span.fromMs) / minuteMs)) },
    (_, i) => span.fromMs + (i + 1) * minuteMs,
  )
  const levels = measuredValues(limits)
  const level = levels.at(-1) ?? limit.kw
  const isMoved = levels.some((one) => one !== level)
  return {
    span,
    unit: 'kW',
    decimals: 1,
    low: 0,
    // Room for the limit and its name.
    high: valueAxis([Math.max(level, ...levels) * 1.1], { fromZero: true }).max,
    series: [
      ...bandsOf(curves, steps),
      ...(held && measuredValues(held).length > 0 ? [{ ...broken(held, freshMs), colour: 6 as const }] : []),
      ...(total ? [{ ...broken(total, freshMs), colour: 1 as const }] : []),
      ...(limits && isMoved ? [{ ...limits, colour: 2 as const }] : []),
    ],
    thresholds: [{ name: limit.name, value: level, plate: 'above' }],
    ...(endMs < span.toMs ? { futureFromMs: endMs } : {}),
  }
}

/** Limit and power of one connector. */
export const connectorModel = (chart: readonly Series[], span: Span): ChartModel => ({
  span,
  unit: 'kW',
  decimals: 1,
  fromZero: true,
  series: chart.map((one) => ({
    ...broken(one, freshSteps * siteStepMs(span)),
    colour: one.name === 'Allowed' ? (6 as const) : (1 as const),
  })),
})
