import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { ErrorBanner } from './Banner.tsx'

export type Read<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'fetchStatus' | 'isFetching' | 'isPending' | 'refetch'>

type Props<T> = {
  of: Read<T>
  /** What could not be loaded, as a sentence. */
  failed: string
  /** While nothing is loaded: a box of this height, or other content. */
  waiting?: number | ReactNode
  children?: (data: T) => ReactNode
}

/** What was read; while it is read, a box in its place; when that failed, why, and another try. */
export const Loaded = <T,>({ of: read, failed, waiting, children }: Props<T>) => (
  <>
    {read.data !== undefined && children?.(read.data)}
    {read.error && (
      <ErrorBanner title={failed} onRetry={() => void read.refetch()} retrying={read.isFetching}>
        {translateText(read.error.message)}
      </ErrorBanner>
    )}
    {read.isPending &&
      read.fetchStatus !== 'idle' &&
      (typeof waiting === 'number' ? (
        <div role="status" aria-label={t('Loading')}>
          <Skeleton height={waiting} animate={false} />
        </div>
      ) : (
        waiting
      ))}
  </>
)
