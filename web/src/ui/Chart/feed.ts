import { useEffect, useState } from 'react'
import { type Store, createStore } from '#lib/store.ts'

export type FeedValues = { x: readonly number[]; y: readonly (number | null)[] }
export type FeedState = { x: number[]; y: (number | null)[]; version: number }

/**
 * A live line outside React: pushes are appended, what left the window is dropped, so an open page stays flat in memory.
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

export const createFeed = (keepMs: number): Feed => {
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
      x.push(...fresh.x)
      y.push(...fresh.y)
      put(x, y)
    },
  }
}

/** One feed for the life of a component, seeded again with each full answer. */
export const useFeed = (keepMs: number, answer: FeedValues | undefined): Feed => {
  const [feed] = useState(() => createFeed(keepMs))
  useEffect(() => {
    if (answer) feed.seed(answer)
  }, [feed, answer])
  return feed
}
