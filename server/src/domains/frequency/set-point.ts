import { setPointSeries } from '@gridmast/contract/frequency.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { frequencyWindow } from '@gridmast/contract/time.ts'
import { readWindow } from '#platform/chart-window.ts'
import { readingsFile } from '#readings/file.ts'
import { lastReportedOf } from '#readings/latest.ts'
import { route } from '#context.ts'
import { getSetPointSignal } from './queries.ts'

/** Over the same span as the frequency chart beside it. */
export const setPoints = route(setPointSeries, async ({ app, own, nowMs, query }) => {
  const { fromMs, toMs } = readWindow(query, nowMs, frequencyWindow(nowMs))
  const signal = await own((tx, customerId) => getSetPointSignal(tx, customerId, query.instanceId))
  if (query.format) {
    return readingsFile(app.readings, {
      fileName: `Set point ${signal.name}`,
      signals: [{ no: signal.no, name: 'Set point', unit: signal.unit, simulated: signal.simulated }],
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
    graph: [{ name: signal.name, unit: signal.unit, kind: 'step' as const, x, y }],
    instance: { _id: signal.instance_id, name: signal.name },
    simulated: signal.simulated,
    lastReported: await lastReportedOf(app.readings, signal.no),
  }
})
