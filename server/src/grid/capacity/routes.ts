import {
  instanceCapacity,
  instanceCapacityLastReported,
  instanceLastReported,
  instanceOverview,
  powerCapacity,
  powerCapacityLastReported,
} from '@gridmast/contract/grid/capacity.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { capacityWindow, dayBounds, today } from '@gridmast/contract/time.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import { readingsFile } from '#readings/file.ts'
import { hourlyEnergyKwh } from '#readings/intervals.ts'
import { lastReportedOf } from '#readings/samples.ts'
import { findAllSignals, getSignal } from '#readings/signals.ts'
import { route } from '#context.ts'
import { groups } from './groups.ts'
import { soldNowOf } from './sold-now.ts'
import { capacitySum } from './sum.ts'

const capacitySignal = async (
  readCached: Own['readCached'],
  query: { market: string; instanceId?: string | undefined },
) => {
  const { market, instanceId } = query
  if (!isMarket(market)) throw invalid({ market: 'No such market' })
  const kind = capacityKind(market)
  const signal = (await readCached(findAllSignals)).find(
    (one) =>
      one.kind === kind && one.markets.includes(market) && (instanceId ? one.instance_id === instanceId : one.enabled),
  )
  if (!signal) throw notFound()
  return { ...signal, market }
}

export const capacity = [
  capacitySum,
  groups,

  route(powerCapacity, async ({ app, viewer, readCached, nowMs, query }) => {
    const { no, unit, name, simulated, instance_id, market } = await capacitySignal(readCached, query)
    const lastReported = await lastReportedOf(app.readings, no)
    const span = readWindow(query, nowMs, capacityWindow(lastReported ? Date.parse(lastReported) : nowMs))
    if (query.format) {
      const signals = [{ no, name: query.market, unit, simulated }]
      return readingsFile(app.readings, { fileName: `Power capacity ${name}`, signals, ...span })
    }
    const maxPoints = query.maxPoints ?? limits.defaultPoints
    const points = await app.readings.window({ signalNo: no, ...span, maxPoints })
    return {
      graph: [{ name: query.market, unit, kind: 'line' as const, ...points }],
      instance: { _id: instance_id, name },
      soldKw: await soldNowOf({ viewer, readCached, nowMs }, { market, instanceId: instance_id }),
      simulated,
      from: new Date(span.fromMs).toISOString(),
      to: new Date(span.toMs).toISOString(),
      lastReported,
    }
  }),

  route(powerCapacityLastReported, async ({ app, readCached, query }) => {
    const signal = await capacitySignal(readCached, query)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),

  route(instanceCapacity, async ({ app, readCached, nowMs, query }) => {
    const { no, unit, name, simulated, instance_id } = await capacitySignal(readCached, query)
    const span = dayBounds(query.date ?? today(nowMs))
    if (query.format) {
      const signals = [{ no, name: query.market, unit, simulated }]
      return readingsFile(app.readings, { fileName: `Power capacity ${name}`, signals, ...span })
    }
    const points = await app.readings.window({ signalNo: no, ...span, maxPoints: limits.defaultPoints })
    return {
      capacityData: [{ name: query.market, unit, kind: 'line' as const, ...points }],
      group: { _id: instance_id, name },
      simulated,
      lastReported: await lastReportedOf(app.readings, no),
    }
  }),

  route(instanceCapacityLastReported, async ({ app, readCached, query }) => {
    const signal = await capacitySignal(readCached, query)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),

  route(instanceOverview, async ({ app, readCached, nowMs, query }) => {
    const { no, name, simulated, instance_id } = await getSignal(readCached, 'power', query.groupId)
    const date = query.date ?? today(nowMs)
    const span = dayBounds(date)
    if (query.format) {
      const signals = [{ no, name: 'Power', unit: 'kW', simulated }]
      return readingsFile(app.readings, { fileName: `Power ${name}`, signals, ...span })
    }
    const hours = slots('hour', date)
    const x = hours.map((hour) => hour.fromMs)
    const [power, y, lastReported] = [
      await app.readings.window({ signalNo: no, ...span, maxPoints: limits.defaultPoints }),
      await hourlyEnergyKwh(app.readings, no, hours, nowMs),
      await lastReportedOf(app.readings, no),
    ]
    return {
      powerData: [{ name: 'Power', unit: 'kW', kind: 'line' as const, ...power }],
      consumptionData: [{ name: 'Consumption', unit: 'kWh', kind: 'column' as const, x, y }],
      group: { _id: instance_id, name },
      simulated,
      lastReported,
    }
  }),

  route(instanceLastReported, async ({ app, readCached, query }) => {
    const signal = await getSignal(readCached, 'power', query.groupId)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),
]
