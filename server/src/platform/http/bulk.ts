import type { BulkResult } from '@gridmast/contract/bulk.ts'
import { notFound, Refusal } from './errors.ts'

/**
 * One act on several rows of a transaction. A refusal, thrown before the row is changed, is the reason of its row and keeps the others.
 * 404 when no row exists.
 */
export const eachOf = async (ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<BulkResult> => {
  const done: string[] = []
  const refused: { _id: string; message: string; status: number }[] = []
  // Sorted, so that two such transactions lock their rows in the same order.
  for (const id of [...new Set(ids)].toSorted()) {
    try {
      await act(id)
      done.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push({ _id: id, message: error.message, status: error.status })
    }
  }
  if (done.length === 0 && refused.every(({ status }) => status === 404)) throw notFound()
  return { done, failed: refused.map(({ _id, message }) => ({ _id, message })) }
}
