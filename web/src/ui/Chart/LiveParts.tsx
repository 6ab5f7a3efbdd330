import { Figure } from '#ui/Figure.tsx'
import { LastReported } from '#ui/LastReported.tsx'
import { type Feed, useNewest } from './feed.ts'

type FigureProps = { feed: Feed; label?: string; unit: string; decimals: number; size?: 'l' | 'm'; spare?: boolean }

export const LiveFigure = ({ feed, ...figure }: FigureProps) => <Figure value={useNewest(feed)?.value} {...figure} />

/** The last-reported line of a feed, or of the answer before the first live value. */
export const LiveReported = ({
  feed,
  at,
  staleAfterMs,
  brief = false,
}: {
  feed: Feed
  at: string | null | undefined
  staleAfterMs?: number | undefined
  brief?: boolean
}) => {
  const newest = useNewest(feed)?.ms ?? 0
  const answered = at ? Date.parse(at) : 0
  const latest = Math.max(newest, answered)
  return <LastReported at={latest > 0 ? latest : null} staleAfterMs={staleAfterMs} brief={brief} />
}
