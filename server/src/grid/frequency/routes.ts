import * as contract from '@gridmast/contract/grid/frequency.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { frequencyWindow, type Span } from '@gridmast/contract/time.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { route, type App } from '#context.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { readingsFile } from '#readings/file.ts'
import { lastReportedOf } from '#readings/samples.ts'
import { getSignal } from '#readings/signals.ts'
import type { Own } from '#platform/http/route.ts'
import { findAreas, findFrequencySignals, findPublicFrequency, getFrequencySignal } from './queries.ts'

/** Own measurements of an area take precedence over the public one of its grid; among several the newest value counts. */
const lastOfAreas = route(contract.lastFrequencies, async ({ app, own }) => {
  const series = await own(async (tx, customerId) => {
    const customerSignals = await findFrequencySignals(tx, customerId)
    const areas = new Set([...(await findAreas(tx, customerId)), ...customerSignals.map(({ area }) => area)])
    const ofAreas = []
    for (const area of areas) {
      const measured = customerSignals.filter((signal) => signal.area === area)
      const shared = await findPublicFrequency(tx, area)
      ofAreas.push({ area, measured, shared: shared ? [{ ...shared, simulated: shared.source.simulated }] : [] })
    }
    return ofAreas
  })
  const latest = await app.readings.latest(
    series.flatMap(({ measured, shared }) => [...measured, ...shared].map(({ no }) => no)),
  )
  const newestFirst = <S extends { no: number }>(signals: S[]) =>
    signals
      .flatMap((signal) => {
        const sample = latest.get(signal.no)
        return sample ? [{ ...signal, ...sample }] : []
      })
      .toSorted((a, b) => b.tMs - a.tMs)
  const frequencies = series.flatMap(({ area, measured, shared }) => {
    const [newest] = [...newestFirst(measured).map((one) => ({ ...one, source: null })), ...newestFirst(shared)]
    if (!newest) return []
    const { value, tMs, source, simulated } = newest
    return [{ area, hz: value, at: new Date(tMs).toISOString(), source, simulated }]
  })
  return { frequencies }
})

const setPoints = route(contract.setPointSeries, async ({ app, readCached, nowMs, query }) => {
  const span = readWindow(query, nowMs, frequencyWindow(nowMs))
  const { no, unit, name, simulated, instance_id } = await getSignal(readCached, 'setPoint', query.instanceId)
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

const unit = 'Hz'

const getPublic = (own: Own['own'], area: string) => own((tx) => findPublicFrequency(tx, area))

const hasSamples = async (app: App, signalNo: number, { fromMs, toMs }: Span) => {
  const [bucket] = await app.readings.buckets({ signalNo, edgesMs: [fromMs, toMs] })
  return (bucket?.count ?? 0) > 0
}

const series = route(contract.frequencySeries, async ({ app, own, readCached, nowMs, params, query }) => {
  const span = readWindow(query, nowMs, frequencyWindow(nowMs))
  const signal = await getFrequencySignal(readCached, params.id)
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

const lastReported = route(contract.frequencyLastReported, async ({ app, own, readCached, query }) => {
  const signal = await getFrequencySignal(readCached, query.id)
  const measured = await lastReportedOf(app.readings, signal.no)
  const shared = measured ? undefined : await getPublic(own, signal.area)
  return { lastReported: shared ? await lastReportedOf(app.readings, shared.no) : measured }
})

export const frequency = [series, lastReported, lastOfAreas, setPoints]
