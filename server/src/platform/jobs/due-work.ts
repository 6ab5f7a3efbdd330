import { isUnavailable } from '#platform/http/errors.ts'

type Failed<T> = (item: T, error: unknown) => Promise<unknown> | void

/** Runs `work` per item; an error goes to `failed` and delays no other item. An unavailable store ends the run, because no item caused it. */
export const forEachIsolated = async <T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  failed: Failed<T>,
): Promise<void> => {
  for (const item of items)
    try {
      await work(item)
    } catch (error) {
      if (isUnavailable(error)) throw error
      await failed(item, error)
    }
}

/** All items at once; where that fails, each by itself. */
const togetherOrEach = async <T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<unknown>,
  failed: Failed<T>,
): Promise<void> => {
  try {
    await work(items)
  } catch (error) {
    if (isUnavailable(error)) throw error
    await forEachIsolated(items, (item) => work([item]), failed)
  }
}

/**
 * Works on items that are due, at most `most` together, until fewer are left. `work` answers how many it has done: items that another process
 * has locked or marked again in the meantime stay due.
 */
export const workOnDue = async <T>(
  most: number,
  {
    find,
    work,
    failed,
  }: { find: () => Promise<T[]>; work: (some: readonly T[]) => Promise<number>; failed: Failed<T> },
): Promise<void> => {
  for (let done = most; done === most;) {
    const due = await find()
    done = due.length
    await togetherOrEach(
      due,
      async (some) => {
        const count = await work(some)
        if (some === due) done = count
      },
      failed,
    )
  }
}
