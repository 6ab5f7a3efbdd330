import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

export type ChartReading = { pending: boolean; error: { message: string } | null; retry: () => void; retrying: boolean }

/** A query as a chart's card sees it. */
export const useReading = <T>(query: UseQueryResult<T>): ChartReading => {
  const { t } = useTranslation()
  return {
    pending: query.isPending,
    error: query.error ? { message: t(query.error.message) } : null,
    retry: () => void query.refetch(),
    retrying: query.isFetching,
  }
}
