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
      ofAreas.push({ area, nos: measured.map(({ no }) => no), shared: await findPublicFrequency(tx, area) })
    }
    return ofAreas
  })
  const latest = await app.readings.latest(series.flatMap(({ nos, shared }) => (shared ? [...nos, shared.no] : nos)))
  const frequencies = series.flatMap(({ area, nos, shared }) => {
    const [newest] = nos.flatMap((no) => latest.get(no) ?? []).toSorted((a, b) => b.tMs - a.tMs)
    const found = newest ?? (shared && latest.get(shared.no))
    const source = newest ? null : (shared?.source ?? null)
    return found ? [{ area, hz: found.value, at: new Date(found.tMs).toISOString(), source }] : []
  })
  return { frequencies }
})
