import * as contract from '@gridmast/contract/grid/capacity.ts'
import { capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { slots } from '@gridmast/contract/slots.ts'
import {
  type LocalDate,
  type Span,
  capacityWindow,
  datesBetween,
  dayBounds,
  localDateOf,
  today,
} from '@gridmast/contract/time.ts'
import { getLicence } from '#access/licence.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey } from '#platform/records/rows.ts'
import { route } from '#context.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import { readingsFile } from '#readings/file.ts'
import { hourlyEnergyKwh } from '#readings/intervals.ts'
import type { Readings } from '#readings/readings.ts'
import { lastReportedOf } from '#readings/samples.ts'
import { findAllSignals, getSignal } from '#readings/signals.ts'
import { capacitySum, soldNowOf } from './sum.ts'

const findCapacitySignals = (tx: Tx, customerId: string, licenceId: string) =>
  tx
    .selectFrom('instance as i')
    .innerJoin('edge as e', onKey('e', 'i', 'edge_id'))
    .leftJoin('signal as s', (join) =>
      join
        .onRef('s.customer_id', '=', 'i.customer_id')
        .onRef('s.instance_id', '=', 'i.instance_id')
        .on('s.kind', 'in', ['capacityUp', 'capacityDown']),
    )
    .select(['i.instance_id', 'i.name', 'i.markets', 'e.simulated', 's.kind', 's.no'])
    .where('i.customer_id', '=', customerId)
    .where('i.licence_id', '=', licenceId)
    .where('i.enabled', '=', true)
    .orderBy('i.position')
    .execute()

const groups = route(contract.capacityGroups, async ({ app, own, nowMs, params }) => {
  const rows = await own(async (tx, customerId) => {
    await getLicence(tx, customerId, params.id)
    return findCapacitySignals(tx, customerId, params.id)
  })
  const latest = await app.readings.latest(rows.flatMap(({ no }) => no ?? []))
  const readyOf = (instanceId: string, market: string) => {
    const kind = isMarket(market) ? capacityKind(market) : null
    const no = rows.find((row) => row.instance_id === instanceId && row.kind === kind)?.no
    const sample = typeof no === 'number' ? latest.get(no) : undefined
    return {
      market,
      kw: sample ? contract.readyTogether([{ ms: sample.tMs, kw: sample.value }], nowMs) : null,
      lastReported: sample ? new Date(sample.tMs).toISOString() : null,
    }
  }
  const instances = new Map(rows.map((row) => [row.instance_id, row]))
  return {
    groups: [...instances.values()].map(({ instance_id, name, simulated, markets }) => ({
      _id: instance_id,
      name,
      simulated,
      capacity: markets.map((market) => readyOf(instance_id, market)),
    })),
  }
})

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

/** kWh of each hour that the span touches, or of each local day; a day with a silent hour is unknown. */
const readConsumption = async (readings: Readings, signalNo: number, span: Span, nowMs: number) => {
  const dates = datesBetween(localDateOf(span.fromMs), localDateOf(span.toMs - 1))
  const isByDay = contract.consumptionStep(span) === 'day'
  const hours = dates
    .flatMap((date) => slots('hour', date))
    .filter(({ fromMs, toMs }) => isByDay || (fromMs < span.toMs && toMs > span.fromMs))
  const hourlyKwh = await hourlyEnergyKwh(readings, signalNo, hours, nowMs)
  if (!isByDay) return { x: hours.map(({ fromMs }) => fromMs), y: hourlyKwh }
  const kwhOf = (date: LocalDate) => {
    const day = dayBounds(date)
    const past = hourlyKwh.filter((_, i) => {
      const { fromMs = 0 } = hours[i] ?? {}
      return fromMs >= day.fromMs && fromMs < day.toMs && fromMs < nowMs
    })
    return past.length === 0 ? null : past.reduce((sum, kwh) => (sum === null || kwh === null ? null : sum + kwh), 0)
  }
  return { x: dates.map((date) => dayBounds(date).fromMs), y: dates.map(kwhOf) }
}

export const capacity = [
  capacitySum,
  groups,

  route(contract.powerCapacity, async ({ app, viewer, readCached, nowMs, query }) => {
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

  route(contract.powerCapacityLastReported, async ({ app, readCached, query }) => {
    const signal = await capacitySignal(readCached, query)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),

  route(contract.instanceCapacity, async ({ app, readCached, nowMs, query }) => {
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

  route(contract.instanceCapacityLastReported, async ({ app, readCached, query }) => {
    const signal = await capacitySignal(readCached, query)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),

  route(contract.instanceOverview, async ({ app, readCached, nowMs, query }) => {
    const { no, name, simulated, instance_id } = await getSignal(readCached, 'power', query.groupId)
    const span = readWindow(query, nowMs, dayBounds(today(nowMs)))
    if (query.format) {
      const signals = [{ no, name: 'Power', unit: 'kW', simulated }]
      return readingsFile(app.readings, { fileName: `Power ${name}`, signals, ...span })
    }
    const [power, { x, y }, lastReported] = [
      await app.readings.window({ signalNo: no, ...span, maxPoints: query.maxPoints ?? limits.defaultPoints }),
      await readConsumption(app.readings, no, span, nowMs),
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

  route(contract.instanceLastReported, async ({ app, readCached, query }) => {
    const signal = await getSignal(readCached, 'power', query.groupId)
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),
]
