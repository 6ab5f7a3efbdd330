import { consumptionStep } from '@gridmast/contract/grid/capacity.ts'
import { carbonEmission, carbonLastReported, emissionStep, ownCarbon } from '@gridmast/contract/grid/carbon.ts'
import { datesIn, slotsIn } from '@gridmast/contract/slots.ts'
import { simulatedOf, sourceLine } from '@gridmast/contract/source.ts'
import {
  type Span,
  addDays,
  dayBounds,
  hourMs,
  localDateOf,
  minuteMs,
  quarterMs,
  today,
} from '@gridmast/contract/time.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow } from '#platform/records/rows.ts'
import { findSignals } from '#readings/signals.ts'
import { emissionSource, findEmissionSignal, readEmission } from '#grid/published/emission.ts'
import { findLastSuccess, getSource } from '#grid/published/sources.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile } from '#platform/files/table-file.ts'
import { aboutSimulated, readingsFile } from '#readings/file.ts'
import { hourlyEnergyKwh, readMeans } from '#readings/intervals.ts'
import { type App, route } from '#context.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { Points } from '#readings/decimate.ts'
import { type Minutes, coverageOf, emittedInHour, measuredShare, sumOf } from './own-emission.ts'

const checkArea = async (tx: Tx, customerId: string, area: string): Promise<void> => {
  const customer = await findRow(tx, customerId, 'customer', {}, ['areas'])
  if (!customer?.areas.includes(area)) throw notFound()
}

const findConsumers = async (tx: Tx, customerId: string, area: string, instanceId: string | undefined) => {
  const measured = await findSignals(tx, customerId, 'power', instanceId)
  const consumers = measured.filter((one) => one.enabled && one.area === area)
  if (instanceId && consumers.length === 0) throw notFound()
  return consumers
}

const minutesOf = async (app: App, signalNo: number, { fromMs, toMs }: Span, nowMs: number): Promise<Minutes> => {
  const stepMs = toMs - fromMs > 25 * hourMs ? quarterMs : minuteMs
  const passed = Math.max(0, Math.floor((Math.min(toMs, nowMs) - fromMs) / stepMs))
  const edgesMs = Array.from({ length: passed + 1 }, (_, step) => fromMs + step * stepMs)
  const buckets = passed > 0 ? await app.readings.buckets({ signalNo, edgesMs }) : []
  return { passed, measured: buckets.filter(({ count }) => count > 0).length }
}

type EmittedHour = { name: string; hour: Span; kwh: number | null; gramsPerKwh: number | null; kgCo2: number | null }

const fileColumns: Column<EmittedHour>[] = [
  column.text('Instance', (row) => row.name, 24),
  column.instant('Start', (row) => row.hour.fromMs),
  column.instant('End', (row) => row.hour.toMs),
  column.kwh('Consumption', (row) => row.kwh),
  column.number('Emission of the grid (g/kWh)', 1, (row) => row.gramsPerKwh),
  column.number('Own emission (kg CO2)', 3, (row) => row.kgCo2),
]

const ownEmission = route(ownCarbon, async ({ app, own, nowMs, query }) => {
  const asked = readWindow(query, nowMs, dayBounds(addDays(today(nowMs), -1)), limits.ownCarbonDays)
  const hours = slotsIn('hour', asked)
  const span = { fromMs: hours[0]?.fromMs ?? asked.fromMs, toMs: hours.at(-1)?.toMs ?? asked.toMs }
  const { consumers, signal, source } = await own(async (tx, customerId) => {
    await checkArea(tx, customerId, query.area)
    return {
      consumers: await findConsumers(tx, customerId, query.area, query.instanceId),
      signal: await findEmissionSignal(tx, query.area),
      source: await getSource(tx, emissionSource),
    }
  })
  const emission = await readEmission(app.readings, signal, span)
  const means = hours.map(({ fromMs }) => emission.get(fromMs) ?? null)
  const emitted = await Promise.all(
    consumers.map(async ({ instance_id, name, no }) => {
      const energy = await hourlyEnergyKwh(app.readings, no, hours, nowMs)
      const ofHours = energy.map((kwh, hour) => emittedInHour(kwh, means[hour] ?? null))
      const minutes = await minutesOf(app, no, span, nowMs)
      return { instance_id, name, ofHours, ofDay: sumOf(ofHours), minutes }
    }),
  )
  if (query.format) {
    const fileName = `Own CO2 emission ${query.area} ${fileDays(localDateOf(asked.fromMs), localDateOf(asked.toMs - 1))}`
    const rows = emitted.flatMap(({ name, ofHours }) =>
      hours.map((hour, i) => ({
        name,
        hour,
        kwh: ofHours[i]?.kwh ?? null,
        gramsPerKwh: means[i] ?? null,
        kgCo2: means[i] === null ? null : (ofHours[i]?.kgCo2 ?? null),
      })),
    )
    const about = {
      Area: query.area,
      'Source of the emission': sourceLine(source),
      ...aboutSimulated('Source of the consumption', consumers),
    }
    return { file: tableFile({ fileName, sheet: 'Own emission', about }, fileColumns, rows) }
  }
  const total = sumOf(emitted.map(({ ofDay }) => ofDay))
  const ofHours = hours.map((_, hour) => {
    const measured = emitted.flatMap((one) => one.ofHours[hour] ?? [])
    return measured.length > 0 ? sumOf(measured) : null
  })
  // Each column is an hour, or the hours of a local day.
  const columns = Map.groupBy(ofHours.keys(), (i) => {
    const { fromMs } = hours[i] ?? span
    return consumptionStep(asked) === 'hour' ? fromMs : dayBounds(localDateOf(fromMs)).fromMs
  })
  const x = [...columns.keys()]
  const columnOf = (of: (hour: number) => number | null | undefined) =>
    [...columns.values()].map((ofColumn) => {
      const known = ofColumn.flatMap((hour) => of(hour) ?? [])
      return known.length > 0 ? known.reduce((sum, one) => sum + one, 0) : null
    })
  return {
    kwh: total.kwh,
    kgCo2: total.kgCo2,
    coverage: coverageOf(total),
    measured: measuredShare(emitted.map(({ minutes }) => minutes)),
    simulated: source.simulated || simulatedOf(consumers.map(({ simulated }) => simulated)),
    graph: [
      {
        name: 'CO₂',
        unit: 'kg',
        kind: 'column' as const,
        x,
        y: columnOf((hour) => (means[hour] === null ? null : ofHours[hour]?.kgCo2)),
      },
      { name: 'Consumption', unit: 'kWh', kind: 'column' as const, x, y: columnOf((hour) => ofHours[hour]?.kwh) },
    ],
    instances: emitted.map(({ instance_id, name, ofHours, ofDay, minutes }) => ({
      _id: instance_id,
      name,
      ...(ofHours.some((one) => one !== null) ? { kwh: ofDay.kwh, kgCo2: ofDay.kgCo2 } : { kwh: null, kgCo2: null }),
      measured: measuredShare([minutes]),
    })),
  }
})

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

/** Edges of the hours or local days that a window touches. */
const edgesOf = (step: 'hour' | 'day', span: Span) => {
  const intervals = step === 'hour' ? slotsIn('hour', span) : datesIn(span).map(dayBounds)
  return [...intervals.map(({ fromMs }) => fromMs), intervals.at(-1)?.toMs ?? span.toMs]
}

const emission = route(carbonEmission, async ({ app, own, nowMs, query }) => {
  const { kind, dataset, name } = series[query.type]
  const { fromMs, toMs } = readWindow(query, nowMs, dayBounds(defaultDate(query.type, nowMs)))
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
  const step = emissionStep({ fromMs, toMs })
  const drawn =
    signal && step !== 'published' ? await readMeans(app.readings, signal.no, edgesOf(step, { fromMs, toMs })) : points
  return {
    graph: [{ name: `${name} ${query.area}`, unit, kind: 'step' as const, ...drawn }],
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
