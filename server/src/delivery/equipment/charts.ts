import { equipmentSeries, signalLastReported } from '@gridmast/contract/delivery/equipment.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { type Span, minuteMs } from '@gridmast/contract/time.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { readingsFile } from '#readings/file.ts'
import { lastReportedOf } from '#readings/samples.ts'
import type { Readings } from '#readings/readings.ts'
import { route } from '#context.ts'
import { findNewestCommand, toCommand } from './commands.ts'
import { readExpected } from './expected.ts'
import { getSignalInstance } from './queries.ts'

const windowMs = 15 * minuteMs

type Wanted = Span & { maxPoints: number; isPrefilled: boolean }

/** A prefilled series begins with the value in force at the start of the span, if a sample of the 15 minutes before it exists. */
const readSeries = async (
  readings: Readings,
  signalNo: number | undefined,
  { fromMs, toMs, maxPoints, isPrefilled }: Wanted,
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

export const charts = [
  route(equipmentSeries, async ({ app, own, nowMs, query }) => {
    const { fromMs, toMs } = readWindow(query, nowMs, { fromMs: nowMs - windowMs, toMs: nowMs })
    const { instance, simulated, command } = await own(async (tx, customerId) => {
      const found = await getSignalInstance(tx, customerId, query.signalId)
      const newest = await findNewestCommand(tx, customerId, found.edgeId, found.instance.instanceId)
      return { ...found, command: newest ? toCommand(newest) : null }
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
    const wanted = { fromMs, toMs, maxPoints, isPrefilled: query.prefillData === 'true' }
    const [powers, setPoints, latest] = [
      await readSeries(app.readings, power?.no, wanted),
      await readSeries(app.readings, setPoint?.no, wanted),
      await app.readings.latest([power, setPoint].flatMap((signal) => signal?.no ?? [])),
    ]
    const expected = await readExpected(app.readings, instance, wanted)
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
