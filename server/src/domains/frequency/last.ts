import { lastFrequencies } from '@gridmast/contract/frequency.ts'
import { route } from '#context.ts'
import { findAreas, findFrequencySignals, findPublicFrequency } from './queries.ts'

/** Own measurements of an area come before the public one of its grid; among several the newest value counts. */
export const lastOfAreas = route(lastFrequencies, async ({ app, own }) => {
  const series = await own(async (tx, customerId) => {
    const measuredHere = await findFrequencySignals(tx, customerId)
    const areas = new Set([...(await findAreas(tx, customerId)), ...measuredHere.map(({ area }) => area)])
    const ofAreas = []
    for (const area of areas) {
      const measured = measuredHere.filter((signal) => signal.area === area)
      const shared = await findPublicFrequency(tx, area)
      ofAreas.push({ area, measured, shared: shared ? [{ ...shared, simulated: shared.source.simulated }] : [] })
    }
    return ofAreas
  })
  const latest = await app.readings.latest(
    series.flatMap(({ measured, shared }) => [...measured, ...shared].map(({ no }) => no)),
  )
  const known = <S extends { no: number }>(signals: S[]) =>
    signals
      .flatMap((signal) => {
        const sample = latest.get(signal.no)
        return sample ? [{ ...signal, ...sample }] : []
      })
      .toSorted((a, b) => b.tMs - a.tMs)
  const frequencies = series.flatMap(({ area, measured, shared }) => {
    const [found] = [...known(measured).map((one) => ({ ...one, source: null })), ...known(shared)]
    if (!found) return []
    const { value, tMs, source, simulated } = found
    return [{ area, hz: value, at: new Date(tMs).toISOString(), source, simulated }]
  })
  return { frequencies }
})
