import { frequencyLastReported, frequencySeries } from '@gridmast/contract/frequency.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { frequencyWindow } from '@gridmast/contract/time.ts'
import { exportReadings } from '#export-readings.ts'
import { readWindow } from '#platform/chart-window.ts'
import { lastReportedOf } from '#readings/last-reported.ts'
import { route } from '#route.ts'
import { getFrequencySignal } from './queries.ts'

const unit = 'Hz'

export const frequency = [
  route(frequencySeries, async ({ app, viewer, params, query, requestId }) => {
    const nowMs = app.clock.now()
    const { fromMs, toMs } = readWindow(query, nowMs, frequencyWindow(nowMs))
    const signal = await app.records.tenant(viewer.customerId, (tx) =>
      getFrequencySignal(tx, viewer.customerId, params.id),
    )
    if (query.format) {
      return exportReadings(
        { app, viewer, requestId },
        {
          format: query.format,
          fileName: `Frequency ${signal.name}`,
          signals: [{ no: signal.no, name: signal.name, unit }],
          fromMs,
          toMs,
        },
      )
    }
    const { x, y } = await app.readings.window({
      signalNo: signal.no,
      fromMs,
      toMs,
      maxPoints: query.maxPoints ?? limits.defaultPoints,
    })
    return {
      graph: [{ name: signal.name, unit, kind: 'line' as const, x, y }],
      lastReported: await lastReportedOf(app.readings, signal.no),
    }
  }),

  route(frequencyLastReported, async ({ app, viewer, query }) => {
    const signal = await app.records.tenant(viewer.customerId, (tx) =>
      getFrequencySignal(tx, viewer.customerId, query.id),
    )
    return { lastReported: await lastReportedOf(app.readings, signal.no) }
  }),
]
