import { lastReportedOf } from '#readings/samples.ts'
import { equipmentSeries, signalLastReported } from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { type Span, minuteMs } from '@gridmast/contract/time.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { readingsFile } from '#readings/file.ts'
import type { Readings } from '#readings/readings.ts'
import { route } from '#context.ts'
import { findNewestCommand, toCommand } from './commands.ts'
import { getSignalInstance, type EquipmentInstance } from './queries.ts'
import { control } from './control.ts'

const windowMs = 15 * minuteMs

/** A prefilled series begins with the value in force at the start of the span, if a sample of the 15 minutes before it exists. */
const readSeries = async (
  readings: Readings,
  signalNo: number | undefined,
  { fromMs, toMs, maxPoints, isPrefilled }: Span & { maxPoints: number; isPrefilled: boolean },
) => {
  if (signalNo === undefined) return { x: [], y: [] }
  const { x, y } = await readings.window({ signalNo, fromMs, toMs, maxPoints })
  if (!isPrefilled || x[0] === fromMs) return { x, y }
  const before = await readings.window({
    signalNo,
    fromMs: fromMs - limits.edgeAliveMs,
    toMs: fromMs,
    maxPoints: limits.seriesPoints,
  })
  const inForce = before.y.findLast((value) => value !== null)
  return inForce === undefined ? { x, y } : { x: [fromMs, ...x], y: [inForce, ...y] }
}

export const equipment = [
  control,
  route(equipmentSeries, async ({ app, own, nowMs, query }) => {
    const { fromMs, toMs } = readWindow(query, nowMs, { fromMs: nowMs - windowMs, toMs: nowMs })
    const { instance, simulated, command } = await own(async (tx, customerId) => {
      const signal = await getSignalInstance(tx, customerId, query.signalId)
      const newest = await findNewestCommand(tx, customerId, signal.edgeId, signal.instance.instance_id)
      return { ...signal, command: newest ? toCommand(newest) : null }
    })
    const { power, setPoint } = instance.signals
    if (query.format) {
      const columns = [
        { name: 'Set point', signal: setPoint },
        { name: 'Power', signal: power },
      ]
      return readingsFile(app.readings, {
        fileName: `Equipment testing ${instance.name}`,
        signals: columns.flatMap(({ name, signal }) =>
          signal ? [{ no: signal.no, name, unit: signal.unit, simulated }] : [],
        ),
        fromMs,
        toMs,
      })
    }
    const maxPoints = query.dataDecimation === 'false' ? limits.seriesPoints : limits.defaultPoints
    const seriesWindow = { fromMs, toMs, maxPoints, isPrefilled: query.prefillData === 'true' }
    const [powers, setPoints, latest] = [
      await readSeries(app.readings, power?.no, seriesWindow),
      await readSeries(app.readings, setPoint?.no, seriesWindow),
      await app.readings.latest([power, setPoint].flatMap((signal) => signal?.no ?? [])),
    ]
    const expected = await readExpected(app.readings, instance, seriesWindow)
    const times = [...latest.values()].map(({ tMs }) => tMs)
    return {
      downloadable: [...powers.y, ...setPoints.y].some((value) => value !== null),
      power: [
        { name: 'Power', unit: power?.unit ?? 'kW', kind: 'line' as const, ...powers },
        { name: 'Expected', unit: power?.unit ?? 'kW', kind: 'step' as const, ...expected },
      ],
      setPoint: [{ name: 'Set point', unit: setPoint?.unit ?? '%', kind: 'step' as const, ...setPoints }],
      lastReported: times.length > 0 ? new Date(Math.max(...times)).toISOString() : null,
      simulated,
      command,
    }
  }),

  route(signalLastReported, async ({ app, own, query }) => {
    const { no } = await own((tx, customerId) => getSignalInstance(tx, customerId, query.signalId))
    return { lastReported: await lastReportedOf(app.readings, no) }
  }),
]

type Points = { x: number[]; y: (number | null)[] }

/** Base load: mean power from 60 to 5 s before the set point, as in the delivery score (delivery.md). */
const [baseFromMs, baseToMs] = [minuteMs, 5000]

const maxStarts = 24

/** A set point above 0 reduces the load; in a market with down-regulation only it adds load. */
const kwPerPct = ({ flexible_kw, markets: sold }: EquipmentInstance): number => {
  const directions = sold.filter(isMarket).map((market) => markets[market].direction)
  const addsLoad = directions.length > 0 && directions.every((direction) => direction === 'down')
  return ((addsLoad ? 1 : -1) * Number(flexible_kw)) / 100
}

const startsOf = ({ x, y }: Points): number[] =>
  x.filter((_, i) => (y[i] ?? 0) !== 0 && i > 0 && y[i - 1] === 0).slice(-maxStarts)

/** Expected kW at each set point: the base before the change from 0, moved by its share of the flexible power; null at rest and where the base is unknown. */
export const expectedAt = ({ x, y }: Points, bases: ReadonlyMap<number, number>, perPct: number): Points => {
  let base: number | undefined
  return {
    x,
    y: y.map((pct, i) => {
      if (pct === 0) base = undefined
      else base = bases.get(x[i] ?? 0) ?? base
      return pct === null || pct === 0 || base === undefined ? null : Math.round(10 * (base + pct * perPct)) / 10
    }),
  }
}

const readExpected = async (
  readings: Pick<Readings, 'window' | 'buckets'>,
  instance: EquipmentInstance,
  { fromMs, toMs, maxPoints }: Span & { maxPoints: number },
): Promise<Points> => {
  const { power, setPoint } = instance.signals
  if (!power || !setPoint) return { x: [], y: [] }
  const steps = await readings.window({
    signalNo: setPoint.no,
    fromMs: fromMs - limits.commandHoldS * 1000,
    toMs,
    maxPoints,
  })
  const bases = new Map<number, number>()
  for (const startMs of startsOf(steps)) {
    const edgesMs = [startMs - baseFromMs, startMs - baseToMs]
    const [before] = await readings.buckets({ signalNo: power.no, edgesMs })
    if (before && before.count > 0) bases.set(startMs, before.sum / before.count)
  }
  const { x, y } = expectedAt(steps, bases, kwPerPct(instance))
  const first = x.findIndex((tMs) => tMs >= fromMs)
  if (first === -1) return { x: [], y: [] }
  return { x: x.slice(first), y: y.slice(first) }
}
