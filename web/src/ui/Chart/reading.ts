import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '#lib/i18n.ts'

export type ChartReading = { pending: boolean; error: { message: string } | null; retry: () => void; retrying: boolean }

/** A query as a chart's card sees it. */
export const useReading = <T>(query: UseQueryResult<T>): ChartReading => {
  const { say } = useTranslation()
  return {
    pending: query.isPending,
    error: query.error ? { message: say(query.error.message) } : null,
    retry: () => void query.refetch(),
    retrying: query.isFetching,
  }
}
