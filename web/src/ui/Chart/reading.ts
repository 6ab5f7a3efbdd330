import type { UseQueryResult } from '@tanstack/react-query'
import { translateText } from '#lib/i18n.ts'

export type ChartReading = { pending: boolean; error: { message: string } | null; retry: () => void; retrying: boolean }

/** A query, or several that are shown together, as a chart's card sees it. */
export const useReading = (...queries: readonly UseQueryResult[]): ChartReading => {
  const failed = queries.find(({ error }) => error)?.error
  return {
    pending: queries.some(({ isPending }) => isPending),
    error: failed ? { message: translateText(failed.message) } : null,
    retry: () => queries.forEach(({ refetch }) => void refetch()),
    retrying: queries.some(({ isFetching }) => isFetching),
  }
}
