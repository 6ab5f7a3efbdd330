import { setPointSeries } from '@gridmast/contract/frequency.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { frequencyWindow } from '@gridmast/contract/time.ts'
import { readWindow } from '#platform/chart-window.ts'
import { readingsFile } from '#readings/file.ts'
import { lastReportedOf } from '#readings/latest.ts'
import { getSignal } from '#readings/signals.ts'
import { route } from '#context.ts'

/** Over the same span as the frequency chart beside it. */
export const setPoints = route(setPointSeries, async ({ app, own, nowMs, query }) => {
  const span = readWindow(query, nowMs, frequencyWindow(nowMs))
  const { no, unit, name, simulated, instance_id } = await own((tx, customerId) =>
    getSignal(tx, customerId, 'setPoint', query.instanceId),
  )
  if (query.format) {
    const signals = [{ no, name: 'Set point', unit, simulated }]
    return readingsFile(app.readings, { fileName: `Set point ${name}`, signals, ...span })
  }
  const maxPoints = query.maxPoints ?? limits.defaultPoints
  const points = await app.readings.window({ signalNo: no, ...span, maxPoints })
  return {
    graph: [{ name, unit, kind: 'step' as const, ...points }],
    instance: { _id: instance_id, name },
    simulated,
    lastReported: await lastReportedOf(app.readings, no),
  }
})
