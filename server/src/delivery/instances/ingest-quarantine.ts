import type { EdgeMessage } from '#protocols/mqtt/topics.ts'
import { ratesOf } from '#platform/http/limits.ts'
import type { Quarantined } from '#readings/writer.ts'
import type { Readings } from '#readings/readings.ts'

const keptPerMinute = 60
const groupMs = 20

export const openQuarantine = (readings: Pick<Readings, 'quarantine'>, now: () => number) => {
  const mayKeep = ratesOf(keptPerMinute / 60, keptPerMinute, now)
  let found: Quarantined[] = []
  let storing: Promise<void> | undefined
  return async ({ edgeKey, topic, payload, receivedAtMs }: EdgeMessage, reason: string): Promise<void> => {
    if (!mayKeep(edgeKey)) return
    found.push({ receivedAtMs, edge: edgeKey, topic, reason, payload: payload.subarray(0, 8192).toString('utf8') })
    storing ??= new Promise((resolve) => setTimeout(resolve, groupMs)).then(() => {
      const group = found
      found = []
      storing = undefined
      return readings.quarantine(group)
    })
    await storing
  }
}
