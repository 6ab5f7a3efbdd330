import { ownCarbon } from '@gridmast/contract/grid/carbon.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { simulatedOf, sourceLine } from '@gridmast/contract/source.ts'
import { addDays, dayBounds, minuteMs, today, type Span } from '@gridmast/contract/time.ts'
import { emissionSource, findEmissionSignal, readEmission } from '#grid/published/emission.ts'
import { getSource } from '#grid/published/sources.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile } from '#platform/files/table-file.ts'
import { aboutSimulated } from '#readings/file.ts'
import { hourlyEnergyKwh } from '#readings/intervals.ts'
import { type App, route } from '#context.ts'
import { coverageOf, emittedInHour, measuredShare, sumOf, type Minutes } from './own-emission.ts'
import { checkArea, findConsumers } from './queries.ts'

const minutesOf = async (app: App, signalNo: number, { fromMs, toMs }: Span, nowMs: number): Promise<Minutes> => {
  const passed = Math.max(0, Math.floor((Math.min(toMs, nowMs) - fromMs) / minuteMs))
  const edgesMs = Array.from({ length: passed + 1 }, (_, minute) => fromMs + minute * minuteMs)
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

export const ownEmission = route(ownCarbon, async ({ app, own, nowMs, query }) => {
  const date = query.date ?? addDays(today(nowMs), -1)
  const hours = slots('hour', date)
  const { consumers, signal, source } = await own(async (tx, customerId) => {
    await checkArea(tx, customerId, query.area)
    return {
      consumers: await findConsumers(tx, customerId, query.area, query.instanceId),
      signal: await findEmissionSignal(tx, query.area),
      source: await getSource(tx, emissionSource),
    }
  })
  const emission = await readEmission(app.readings, signal, dayBounds(date))
  const means = hours.map(({ fromMs }) => emission.get(fromMs) ?? null)
  const emitted = await Promise.all(
    consumers.map(async ({ instance_id, name, no }) => {
      const energy = await hourlyEnergyKwh(app.readings, no, hours, nowMs)
      const ofHours = energy.map((kwh, hour) => emittedInHour(kwh, means[hour] ?? null))
      const minutes = await minutesOf(app, no, dayBounds(date), nowMs)
      return { instance_id, name, ofHours, ofDay: sumOf(ofHours), minutes }
    }),
  )
  if (query.format) {
    const fileName = `Own CO2 emission ${query.area} ${date}`
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
  const x = hours.map((hour) => hour.fromMs)
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
        y: ofHours.map((sum, hour) => (sum && means[hour] !== null ? sum.kgCo2 : null)),
      },
      { name: 'Consumption', unit: 'kWh', kind: 'column' as const, x, y: ofHours.map((sum) => sum?.kwh ?? null) },
    ],
    instances: emitted.map(({ instance_id, name, ofHours, ofDay, minutes }) => ({
      _id: instance_id,
      name,
      ...(ofHours.some((one) => one !== null) ? { kwh: ofDay.kwh, kgCo2: ofDay.kgCo2 } : { kwh: null, kgCo2: null }),
      measured: measuredShare([minutes]),
    })),
  }
})
