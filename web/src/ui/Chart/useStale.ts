import { useNow } from '#lib/clock.ts'
import type { Feed } from './feed.ts'

/** How long ago a feed last brought a value, once that is longer than `afterMs`; looked at every ten seconds, not at every value. */
export const useStale = (feed: Feed, afterMs: number): number | null => {
  const now = useNow(10_000)
  const newest = feed.state.get().x.at(-1)
  return newest !== undefined && now - newest > afterMs ? now - newest : null
}
