import { isAway } from '#platform/http/errors.ts'

type Failed<T> = (item: T, error: unknown) => Promise<unknown> | void

/** Runs `work` for each item: one that fails is given to `failed` and holds up no other. A store that is away is no item's fault: it ends the run. */
export const eachByItself = async <T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  failed: Failed<T>,
): Promise<void> => {
  for (const item of items)
    try {
      await work(item)
    } catch (error) {
      if (isAway(error)) throw error
      await failed(item, error)
    }
}

/** All items at once; where that fails, each by itself. */
export const togetherOrEach = async <T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<unknown>,
  failed: Failed<T>,
): Promise<void> => {
  try {
    await work(items)
  } catch (error) {
    if (isAway(error)) throw error
    await eachByItself(items, (item) => work([item]), failed)
  }
}
