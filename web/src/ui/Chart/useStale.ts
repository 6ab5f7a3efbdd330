import { useAgeOver } from '#lib/clock.ts'
import type { Feed } from './feed.ts'

/** How long ago a feed last brought a value, once that is longer than `afterMs`. */
export const useStale = (feed: Feed, afterMs: number): number | null =>
  useAgeOver(() => feed.state.get().x.at(-1), afterMs)
