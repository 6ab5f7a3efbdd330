import type { Data } from '@gridmast/contract/call.ts'
import type { ActivationEvent, findEvents } from '@gridmast/contract/delivery/events.ts'

/** A row of the table: one activation, or the total of the activations of a disturbance. */
export type EventRow = ActivationEvent & { parts?: ActivationEvent[] }

const knownValues = (values: readonly (number | null)[]): number[] => values.flatMap((value) => value ?? [])
const highest = (values: readonly (number | null)[]): number | null =>
  knownValues(values).length === 0 ? null : Math.max(...knownValues(values))

/** Percent of the total capacity; null where a part is unknown. */
const percentOfAll = (
  parts: readonly ActivationEvent[],
  of: (part: ActivationEvent) => number | null,
): number | null => {
  const capacityKw = parts.reduce((sum, part) => sum + part.capacityKw, 0)
  const values = parts.map((part) => ({ percent: of(part), kw: part.capacityKw }))
  if (capacityKw === 0 || values.some(({ percent }) => percent === null)) return null
  return values.reduce((sum, { percent, kw }) => sum + (percent ?? 0) * kw, 0) / capacityKw
}

/** Totals and extremes, and the verdict of the part with the lowest score. */
const sumUp = (parts: readonly ActivationEvent[], first: ActivationEvent, name: string): EventRow => {
  const worst = parts.filter(({ score }) => score !== null).toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0))[0]
  const frequencies = knownValues(parts.map(({ maxFrequency }) => maxFrequency))
  const consumed = knownValues(parts.map(({ consumption }) => consumption))
  return {
    ...first,
    instanceName: name,
    endTime: parts.reduce<string | null>(
      (last, { endTime }) => (last === null || endTime === null ? null : endTime > last ? endTime : last),
      first.startTime,
    ),
    duration: highest(parts.map(({ duration }) => duration)),
    deltaLoad: percentOfAll(parts, ({ deltaLoad }) => deltaLoad),
    processedDeltaLoad: percentOfAll(parts, ({ processedDeltaLoad }) => processedDeltaLoad),
    maxFrequency:
      frequencies.length === 0
        ? null
        : first.direction === 'increased'
          ? Math.min(...frequencies)
          : Math.max(...frequencies),
    maxSetPoint: highest(parts.map(({ maxSetPoint }) => maxSetPoint)),
    consumption: consumed.length < parts.length ? null : consumed.reduce((sum, value) => sum + value, 0),
    isConsumptionEstimated: parts.some(({ isConsumptionEstimated }) => isConsumptionEstimated),
    capacityKw: parts.reduce((sum, { capacityKw }) => sum + capacityKw, 0),
    score: worst?.score ?? null,
    verdict: worst?.verdict ?? first.verdict,
    slope: worst ? worst.slope : first.slope,
    late: parts.some(({ late }) => late),
    parts: [...parts],
  }
}

/** The events of a page by disturbance, or one by one. */
export const rowsOf = (
  { events, disturbances }: Pick<Data<typeof findEvents>, 'events' | 'disturbances'>,
  name: (count: number) => string,
): EventRow[] => {
  if (disturbances === null) return events
  const byId = new Map(events.map((event) => [event._id, event]))
  return disturbances.flatMap((ids) => {
    const parts = ids.flatMap((id) => byId.get(id) ?? [])
    const [first] = parts
    if (!first) return []
    return [parts.length === 1 ? first : sumUp(parts, first, name(parts.length))]
  })
}
