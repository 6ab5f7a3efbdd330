import type { UseQueryResult } from '@tanstack/react-query'
import { translateText } from '#lib/i18n.ts'
import { ErrorBanner } from './Banner.tsx'

export type QueryState = Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'isPending' | 'refetch'>

/** The first error of one or several queries with a retry; nothing without an error. */
export const LoadError = ({ query, title }: { query: QueryState | readonly QueryState[]; title: string }) => {
  const queries = [query].flat()
  const error = queries.find((one) => one.error)?.error
  if (!error) return null
  return (
    <ErrorBanner
      title={title}
      onRetry={() => queries.forEach(({ refetch }) => void refetch())}
      retrying={queries.some(({ isFetching }) => isFetching)}
    >
      {translateText(error.message)}
    </ErrorBanner>
  )
}
