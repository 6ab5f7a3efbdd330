import { carbonEmission, carbonLastReported } from '@gridmast/contract/grid/carbon.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { addDays, dayBounds, today } from '@gridmast/contract/time.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { findEmissionSignal } from '#grid/published/emission.ts'
import { findLastSuccess, getSource } from '#grid/published/sources.ts'
import type { Points } from '#readings/decimate.ts'
import { readingsFile } from '#readings/file.ts'
import { route } from '#context.ts'
import { checkArea } from './queries.ts'
import { ownEmission } from './own.ts'

const unit = 'g/kWh'
const noPoints: Points = { x: [], y: [] }

const series = {
  past: { kind: 'co2', dataset: 'CO2Emis', name: 'CO₂ emission' },
  future: { kind: 'co2Prognosis', dataset: 'CO2EmisProg', name: 'CO₂ emission prognosis' },
} as const

const extreme = ({ x, y }: Points, isBetter: (a: number, b: number) => boolean) => {
  let best: { at: string; value: number } | null = null
  y.forEach((value, i) => {
    if (value !== null && (best === null || isBetter(value, best.value)))
      best = { at: new Date(x[i] ?? 0).toISOString(), value }
  })
  return best
}

/** Yesterday for measurements, today for the prognosis (specification text 1, section 2). */
const defaultDate = (type: 'past' | 'future', nowMs: number) => addDays(today(nowMs), type === 'past' ? -1 : 0)

const emission = route(carbonEmission, async ({ app, own, nowMs, query }) => {
  const { kind, dataset, name } = series[query.type]
  const date = query.date ?? defaultDate(query.type, nowMs)
  const { fromMs, toMs } = dayBounds(date)
  const { signal, source } = await own(async (tx, customerId) => {
    await checkArea(tx, customerId, query.area)
    return {
      signal: await findEmissionSignal(tx, query.area, kind),
      source: await getSource(tx, { source: sourceName, dataset }),
    }
  })
  if (query.format) {
    // Number 0 is no series: the file of an area without data has a header and no rows.
    const signals = [{ no: signal?.no ?? 0, name: `${name} ${query.area}`, unit, simulated: source.simulated }]
    const fileName = `CO2 ${query.type === 'past' ? 'emission' : 'prognosis'} ${query.area}`
    const about = { Area: query.area, Source: sourceLine(source) }
    return readingsFile(app.readings, { fileName, signals, about, fromMs, toMs })
  }
  const points = signal
    ? await app.readings.window({ signalNo: signal.no, fromMs, toMs, maxPoints: limits.defaultPoints })
    : noPoints
  const [all] = signal ? await app.readings.buckets({ signalNo: signal.no, edgesMs: [fromMs, toMs] }) : []
  return {
    graph: [{ name: `${name} ${query.area}`, unit, kind: 'step' as const, ...points }],
    mean: all && all.count > 0 ? all.sum / all.count : null,
    lowest: extreme(points, (a, b) => a < b),
    highest: extreme(points, (a, b) => a > b),
    source,
  }
})

/** Measurements are reported at the end of their newest interval; a prognosis, which ends in the future, at its last fetch. */
const lastReported = route(carbonLastReported, async ({ own, query }) => {
  const { kind, dataset } = series[query.type]
  const timestamp = await own(async (tx, customerId) => {
    await checkArea(tx, customerId, query.area)
    const signal = await findEmissionSignal(tx, query.area, kind)
    if (!signal) return null
    return query.type === 'future'
      ? findLastSuccess(tx, { source: sourceName, dataset })
      : (signal.last_reported_at?.toISOString() ?? null)
  })
  return { carbon: { timestamp } }
})

export const carbon = [emission, lastReported, ownEmission]
