import { limits } from '@gridmast/contract/limits.ts'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import { type Asked, isOffered, kwByHour } from './beside.ts'

/**
 * Slots of requests by instance and day: overlaps are searched in the days of a request only, since comparing each pair would be quadratic for
 * files with thousands of requests.
 */

type Entry = { market: string; mask: number; kw: readonly number[]; row: number | null }
type Days = Map<string, Entry[]>
type Span = { first: string; last: string }
type OfInstance = { days: Days; spans: Span[] }

const maskOf = (asked: Asked): number => {
  const slots = requestSlots(asked.market) ?? 0
  let mask = 0
  for (let slot = 0; slot < slots; slot++) if (isOffered(asked, slot)) mask |= 1 << slot
  return mask
}

const spanOf = ({ days }: Asked): Span => {
  const sorted = [...days].toSorted()
  return { first: sorted[0] ?? '', last: sorted.at(-1) ?? '' }
}

const openInstance = (): OfInstance => ({ days: new Map(), spans: [] })

export type SlotBook = ReturnType<typeof openSlotBook>

export const openSlotBook = () => {
  const instances = new Map<string, OfInstance>()
  const of = (instanceId: string) => {
    const known = instances.get(instanceId) ?? openInstance()
    instances.set(instanceId, known)
    return known
  }
  return {
    findOverlap: (instanceId: string, asked: Asked): Pick<Entry, 'row'> | null => {
      const { days } = of(instanceId)
      const mask = maskOf(asked)
      for (const day of asked.days)
        for (const entry of days.get(day) ?? [])
          if (entry.market === asked.market && (entry.mask & mask) !== 0) return entry
      return null
    },
    isFull: (instanceId: string, asked: Asked): boolean => {
      const { first, last } = spanOf(asked)
      let count = 0
      for (const span of of(instanceId).spans) if (span.first <= last && span.last >= first) count++
      return count >= limits.bidRequestsBeside
    },
    kwBeside: (instanceId: string, asked: Asked): number[] => {
      const { days } = of(instanceId)
      const most = Array.from({ length: 24 }, () => 0)
      for (const day of asked.days) {
        const others = (days.get(day) ?? []).filter(({ market }) => market !== asked.market)
        if (others.length > 0)
          most.forEach((before, hour) => {
            most[hour] = Math.max(
              before,
              others.reduce((sum, { kw }) => sum + (kw[hour] ?? 0), 0),
            )
          })
      }
      return most
    },
    add: (instanceId: string, asked: Asked, row: number | null): void => {
      const { days, spans } = of(instanceId)
      const entry: Entry = { market: asked.market, mask: maskOf(asked), kw: kwByHour(asked), row }
      spans.push(spanOf(asked))
      for (const day of asked.days) {
        const entries = days.get(day)
        if (entries) entries.push(entry)
        else days.set(day, [entry])
      }
    },
  }
}
