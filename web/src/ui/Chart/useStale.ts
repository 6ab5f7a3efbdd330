import { useAgeOver } from '#lib/clock.ts'
import type { Feed } from './feed.ts'

/** Age of a feed's newest value, once it exceeds `afterMs`. */
export const useStale = (feed: Feed, afterMs: number): number | null =>
  useAgeOver(() => feed.state.get().x.at(-1), afterMs)
