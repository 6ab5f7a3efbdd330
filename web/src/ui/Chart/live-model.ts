import type { Span } from '@gridmast/contract/time.ts'
import type { Feed } from './feed.ts'
import type { ChartModel } from './model.ts'
import { describeGaps, findGaps } from './shape.ts'

/** The span of a live chart at its newest point. */
export type Slide = (newestMs: number) => Span
export type LiveSource = { feed: Feed; slide: Slide }

export const followFeed = (model: ChartModel, live: LiveSource | undefined): ChartModel => {
  const [first, ...rest] = model.series
  if (!live || !first) return model
  const { x, y } = live.feed.state.get()
  const newest = x.at(-1)
  if (newest === undefined) return model
  return {
    ...model,
    series: [{ ...first, x, y }, ...rest],
    span: live.slide(newest),
    ...(model.futureFromMs === undefined ? {} : { futureFromMs: newest }),
    ...(model.gapsOver ? { gaps: describeGaps(findGaps(x, y, model.gapsOver.ms), model.gapsOver.words) } : {}),
  }
}
