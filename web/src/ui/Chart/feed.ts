import { useEffect, useState } from 'react'
import { type Store, createStore, useStore } from '#lib/store.ts'
import { useAgeOver } from '#lib/clock.ts'
import type { Span } from '@gridmast/contract/time.ts'
import type { ChartModel } from './model.ts'
import { describeGaps, findGaps } from './shape.ts'

export const useStale = (feed: Feed, afterMs: number): number | null =>
  useAgeOver(() => feed.state.get().x.at(-1), afterMs)

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

export type FeedValues = { x: readonly number[]; y: readonly (number | null)[] }
export type FeedState = { x: number[]; y: (number | null)[]; version: number }

/**
 * Points of a live line outside of React, in constant memory: old points are dropped, and with `stepMs` one point per step is kept, of which
 * the newest moves. Pushes may repeat or arrive late; only later points are accepted, the next full read has the rest.
 */
export type Feed = {
  state: Store<FeedState>
  /** Replaces the points by a full answer; newer pushed points are kept. */
  seed: (values: FeedValues) => void
  push: (values: FeedValues) => void
}

/** Trimming copies the arrays, so it waits until an eighth of the points are old. */
const slack = 1.125

export const createFeed = (keepMs: number, stepMs = 0): Feed => {
  const state = createStore<FeedState>({ x: [], y: [], version: 0 })

  const put = (x: number[], y: (number | null)[]) => {
    const newest = x.at(-1) ?? 0
    if ((x[0] ?? newest) < newest - keepMs * slack) {
      const first = x.findIndex((ms) => ms >= newest - keepMs)
      x.splice(0, first)
      y.splice(0, first)
    }
    state.set({ x, y, version: state.get().version + 1 })
  }

  const newer = (values: FeedValues, than: number) => {
    const first = values.x.findIndex((ms) => ms > than)
    return first < 0 ? { x: [], y: [] } : { x: values.x.slice(first), y: values.y.slice(first) }
  }

  return {
    state,
    seed: (values) => {
      const pushed = newer(state.get(), values.x.at(-1) ?? -Infinity)
      put([...values.x, ...pushed.x], [...values.y, ...pushed.y])
    },
    push: (values) => {
      const { x, y } = state.get()
      const fresh = newer(values, x.at(-1) ?? -Infinity)
      if (fresh.x.length === 0) return
      fresh.x.forEach((ms, i) => {
        // Within a step of the second newest point the newest is replaced.
        const within = ms - (x.at(-2) ?? -Infinity) < stepMs
        if (within) x.length = y.length = x.length - 1
        x.push(ms)
        y.push(fresh.y[i] ?? null)
      })
      put(x, y)
    },
  }
}

/** One feed per component instance, filled by each full answer. Key the component by its content. */
export const useFeed = (keepMs: number, answer: FeedValues | undefined, stepMs = 0): Feed => {
  const [feed] = useState(() => createFeed(keepMs, stepMs))
  useEffect(() => {
    if (answer) feed.seed(answer)
  }, [feed, answer])
  return feed
}

/** Renders the calling component only. */
export const useNewest = (feed: Feed): { ms: number; value: number | null } | null => {
  const { x, y } = useStore(feed.state)
  const ms = x.at(-1)
  return ms === undefined ? null : { ms, value: y.at(-1) ?? null }
}
