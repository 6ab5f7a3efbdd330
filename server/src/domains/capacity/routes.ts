import {
  instanceLastReported,
  instanceOverview,
  powerCapacity,
  powerCapacityLastReported,
} from '@gridmast/contract/capacity.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { capacityWindow, dayBounds, today } from '@gridmast/contract/time.ts'
import { readWindow } from '#platform/chart-window.ts'
import { invalid } from '#platform/errors.ts'
import type { Own } from '#platform/route.ts'
import { readingsFile } from '#readings/file.ts'
import { hourlyEnergyKwh } from '#readings/intervals.ts'
import { lastReportedOf } from '#readings/latest.ts'
import { route } from '#context.ts'
import { getInstanceSignal } from './queries.ts'
import { capacitySum } from './sum.ts'

const capacitySignal = (own: Own['own'], query: { market: string; instanceId?: string | undefined }) => {
  const { market, instanceId } = query
  if (!isMarket(market)) throw invalid({ market: 'No such market' })
  return own((tx, customerId) => getInstanceSignal(tx, customerId, { instanceId, market, kind: capacityKind(market) }))
}

const powerSignal = (own: Own['own'], instanceId: string) =>
  own((tx, customerId) => getInstanceSignal(tx, customerId, { instanceId, kind: 'power' }))

export const capacity = [
  capacitySum,

  route(powerCapacity, async ({ app, own, nowMs, query }) => {
    const signal = await capacitySignal(own, query)
    const lastReported = await lastReportedOf(app.readings, signal.no)
    const aroundLast = capacityWindow(lastReported ? Date.parse(lastReported) : nowMs)
    const { fromMs, toMs } = readWindow(query, nowMs, aroundLast)
    if (query.format) {
      return readingsFile(app.readings, {
        fileName: `Power capacity ${signal.name}`,
        signals: [{ no: signal.no, name: query.market, unit: signal.unit, simulated: signal.simulated }],
        fromMs,
        toMs,
      })
    }
    const { x, y } = await app.readings.window({
      signalNo: signal.no,
      fromMs,
      toMs,
      maxPoints: query.maxPoints ?? limits.defaultPoints,
    })
    return {
      graph: [{ name: query.market, unit: signal.unit, kind: 'line' as const, x, y }],
      instance: { _id: signal.instance_id, name: signal.name },
      simulated: signal.simulated,
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      lastReported,
    }
  }),

  route(powerCapacityLastReported, async ({ app, own, query }) => {
    const signal = await capacitySignal(own, query)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),

  route(instanceOverview, async ({ app, own, nowMs, query }) => {
    const signal = await powerSignal(own, query.groupId)
    const date = query.date ?? today(nowMs)
    const { fromMs, toMs } = dayBounds(date)
    if (query.format) {
      return readingsFile(app.readings, {
        fileName: `Power ${signal.name}`,
        signals: [{ no: signal.no, name: 'Power', unit: 'kW', simulated: signal.simulated }],
        fromMs,
        toMs,
      })
    }
    const hours = slots('hour', date)
    const [power, energyKwh, lastReported] = [
      await app.readings.window({ signalNo: signal.no, fromMs, toMs, maxPoints: limits.defaultPoints }),
      await hourlyEnergyKwh(app.readings, signal.no, hours, nowMs),
      await lastReportedOf(app.readings, signal.no),
    ]
    return {
      powerData: [{ name: 'Power', unit: 'kW', kind: 'line' as const, x: power.x, y: power.y }],
      consumptionData: [
        {
          name: 'Consumption',
          unit: 'kWh',
          kind: 'column' as const,
          x: hours.map((hour) => hour.fromMs),
          y: energyKwh,
        },
      ],
      group: { _id: signal.instance_id, name: signal.name },
      simulated: signal.simulated,
      lastReported,
    }
  }),

  route(instanceLastReported, async ({ app, own, query }) => {
    const signal = await powerSignal(own, query.groupId)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),
]
