import { useEffect, useState } from 'react'
import { type Store, createStore, useStore } from '#lib/store.ts'

export type FeedValues = { x: readonly number[]; y: readonly (number | null)[] }
export type FeedState = { x: number[]; y: (number | null)[]; version: number }

/**
 * A live line outside React: pushes are appended, what left the window is dropped, so an open page stays flat in memory.
 * With `stepMs` a long window keeps one point a step, and its newest point moves.
 * Pushes may repeat or come late; only what is newer than the newest point is taken, the next full read brings the rest.
 */
export type Feed = {
  state: Store<FeedState>
  /** A full answer of the server; points pushed meanwhile and newer than it stay. */
  seed: (values: FeedValues) => void
  push: (values: FeedValues) => void
}

/** Trimming moves memory, so it waits until an eighth of the points are old. */
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
        // Nearer than a step to the point before the newest: the newest moves on instead of one more being kept.
        const within = ms - (x.at(-2) ?? -Infinity) < stepMs
        if (within) x.length = y.length = x.length - 1
        x.push(ms)
        y.push(fresh.y[i] ?? null)
      })
      put(x, y)
    },
  }
}

/** One feed for the life of a component, seeded again with each full answer. Give the component a key of what it shows. */
export const useFeed = (keepMs: number, answer: FeedValues | undefined, stepMs = 0): Feed => {
  const [feed] = useState(() => createFeed(keepMs, stepMs))
  useEffect(() => {
    if (answer) feed.seed(answer)
  }, [feed, answer])
  return feed
}

/** The newest value of a feed; only the component that asks is rendered. */
export const useNewest = (feed: Feed): { ms: number; value: number | null } | null => {
  const { x, y } = useStore(feed.state)
  const ms = x.at(-1)
  return ms === undefined ? null : { ms, value: y.at(-1) ?? null }
}
