import { lastFrequencies } from '@gridmast/contract/frequency.ts'
import { route } from '#route.ts'
import { findAreas, findFrequencySignals, findPublicFrequency } from './queries.ts'

/** Own measurements of an area come before the public one of its grid; among several the newest value counts. */
export const lastOfAreas = route(lastFrequencies, async ({ app, viewer }) => {
  const series = await app.records.tenant(viewer.customerId, async (tx) => {
    const own = await findFrequencySignals(tx, viewer.customerId)
    const areas = new Set([...(await findAreas(tx, viewer.customerId)), ...own.map(({ area }) => area)])
    const ofAreas = []
    for (const area of areas) {
      const measured = own.filter((signal) => signal.area === area)
      ofAreas.push({ area, nos: measured.map(({ no }) => no), shared: await findPublicFrequency(tx, area) })
    }
    return ofAreas
  })
  const latest = await app.readings.latest(series.flatMap(({ nos, shared }) => (shared ? [...nos, shared.no] : nos)))
  const frequencies = series.flatMap(({ area, nos, shared }) => {
    const [own] = nos.flatMap((no) => latest.get(no) ?? []).toSorted((a, b) => b.tMs - a.tMs)
    const found = own ?? (shared && latest.get(shared.no))
    const source = own ? null : (shared?.source ?? null)
    return found ? [{ area, hz: found.value, at: new Date(found.tMs).toISOString(), source }] : []
  })
  return { frequencies }
})
