import { frequencyLastReported, frequencySeries } from '@gridmast/contract/frequency.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { frequencyWindow, type Span } from '@gridmast/contract/time.ts'
import type { App } from '#app.ts'
import { exportReadings } from '#export-readings.ts'
import { readWindow } from '#platform/chart-window.ts'
import { lastReportedOf } from '#readings/last-reported.ts'
import { route } from '#route.ts'
import { lastOfAreas } from './last.ts'
import { findPublicFrequency, getFrequencySignal } from './queries.ts'
import { setPoints } from './set-point.ts'

const unit = 'Hz'

const getSignal = (app: App, customerId: string, id: string | undefined) =>
  app.records.tenant(customerId, (tx) => getFrequencySignal(tx, customerId, id))

/** What stands in where the own series holds nothing: looked up only then, for most have their own. */
const getPublic = (app: App, customerId: string, area: string) =>
  app.records.tenant(customerId, (tx) => findPublicFrequency(tx, area))

const hasSamples = async (app: App, signalNo: number, { fromMs, toMs }: Span) => {
  const [bucket] = await app.readings.buckets({ signalNo, edgesMs: [fromMs, toMs] })
  return (bucket?.count ?? 0) > 0
}

const series = route(frequencySeries, async ({ app, viewer, params, query, requestId }) => {
  const { customerId } = viewer
  const nowMs = app.clock.now()
  const span = readWindow(query, nowMs, frequencyWindow(nowMs))
  const signal = await getSignal(app, customerId, params.id)
  if (query.format) {
    const isOwn = await hasSamples(app, signal.no, span)
    const shared = isOwn ? undefined : await getPublic(app, customerId, signal.area)
    const name = shared ? `${signal.name}, ${shared.source.name}` : signal.name
    return exportReadings(
      { app, viewer, requestId },
      {
        format: query.format,
        fileName: `Frequency ${name}`,
        signals: [{ no: shared?.no ?? signal.no, name, unit }],
        ...span,
      },
    )
  }
  const pointsOf = (signalNo: number) =>
    app.readings.window({ signalNo, ...span, maxPoints: query.maxPoints ?? limits.defaultPoints })
  const own = await pointsOf(signal.no)
  const shared = own.x.length > 0 ? undefined : await getPublic(app, customerId, signal.area)
  const { x, y } = shared ? await pointsOf(shared.no) : own
  return {
    graph: [{ name: signal.name, unit, kind: 'line' as const, x, y }],
    lastReported: await lastReportedOf(app.readings, shared?.no ?? signal.no),
    source: shared?.source ?? null,
  }
})

const lastReported = route(frequencyLastReported, async ({ app, viewer, query }) => {
  const signal = await getSignal(app, viewer.customerId, query.id)
  const own = await lastReportedOf(app.readings, signal.no)
  const shared = own ? undefined : await getPublic(app, viewer.customerId, signal.area)
  return { lastReported: shared ? await lastReportedOf(app.readings, shared.no) : own }
})

export const frequency = [series, lastReported, lastOfAreas, setPoints]
