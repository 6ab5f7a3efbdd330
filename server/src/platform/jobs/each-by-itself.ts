import { isAway } from '#platform/http/errors.ts'

type Failed<T> = (item: T, error: unknown) => Promise<unknown> | void

/** Runs `work` per item; an error goes to `failed` and delays no other item. An unavailable store ends the run, because no item caused it. */
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
