import { frequencyLastReported, frequencySeries } from '@gridmast/contract/frequency.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { frequencyWindow, type Span } from '@gridmast/contract/time.ts'
import { readWindow } from '#platform/chart-window.ts'
import type { Own } from '#platform/route.ts'
import { readingsFile } from '#readings/file.ts'
import { lastReportedOf } from '#readings/latest.ts'
import { type App, route } from '#context.ts'
import { lastOfAreas } from './last.ts'
import { findPublicFrequency, getFrequencySignal } from './queries.ts'
import { setPoints } from './set-point.ts'

const unit = 'Hz'

const getSignal = (own: Own['own'], id: string | undefined) =>
  own((tx, customerId) => getFrequencySignal(tx, customerId, id))

/** What stands in where the own series holds nothing: looked up only then, for most have their own. */
const getPublic = (own: Own['own'], area: string) => own((tx) => findPublicFrequency(tx, area))

const hasSamples = async (app: App, signalNo: number, { fromMs, toMs }: Span) => {
  const [bucket] = await app.readings.buckets({ signalNo, edgesMs: [fromMs, toMs] })
  return (bucket?.count ?? 0) > 0
}

const series = route(frequencySeries, async ({ app, own, nowMs, params, query }) => {
  const span = readWindow(query, nowMs, frequencyWindow(nowMs))
  const signal = await getSignal(own, params.id)
  if (query.format) {
    const isOwn = await hasSamples(app, signal.no, span)
    const shared = isOwn ? undefined : await getPublic(own, signal.area)
    const name = shared ? `${signal.name}, ${shared.source.name}` : signal.name
    const signals = [{ no: shared?.no ?? signal.no, name, unit, simulated: (shared?.source ?? signal).simulated }]
    const about = shared ? { about: { Source: sourceLine(shared.source) } } : {}
    return readingsFile(app.readings, { fileName: `Frequency ${name}`, signals, ...about, ...span })
  }
  const pointsOf = (signalNo: number) =>
    app.readings.window({ signalNo, ...span, maxPoints: query.maxPoints ?? limits.defaultPoints })
  const measured = await pointsOf(signal.no)
  const shared = measured.x.length > 0 ? undefined : await getPublic(own, signal.area)
  const { x, y } = shared ? await pointsOf(shared.no) : measured
  return {
    graph: [{ name: signal.name, unit, kind: 'line' as const, x, y }],
    lastReported: await lastReportedOf(app.readings, shared?.no ?? signal.no),
    source: shared?.source ?? null,
    simulated: (shared?.source ?? signal).simulated,
  }
})

const lastReported = route(frequencyLastReported, async ({ app, own, query }) => {
  const signal = await getSignal(own, query.id)
  const measured = await lastReportedOf(app.readings, signal.no)
  const shared = measured ? undefined : await getPublic(own, signal.area)
  return { lastReported: shared ? await lastReportedOf(app.readings, shared.no) : measured }
})

export const frequency = [series, lastReported, lastOfAreas, setPoints]
