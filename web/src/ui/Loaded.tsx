import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { LoadError } from './LoadError.tsx'

type Props<T> = {
  query: UseQueryResult<T>
  /** What could not be loaded, as a sentence. */
  failed: string
  /** While nothing is loaded: a box of this height, or other content. */
  waiting: number | ReactNode
  children?: (data: T) => ReactNode
}

/** The data of a query; while it loads, a box in its place; after an error, its cause and another attempt. */
export const Loaded = <T,>({ query, failed, waiting, children }: Props<T>) => (
  <>
    {query.data !== undefined && children?.(query.data)}
    <LoadError query={query} title={failed} />
    {query.isPending &&
      query.fetchStatus !== 'idle' &&
      (typeof waiting === 'number' ? (
        <div role="status" aria-label={t('Loading')}>
          <Skeleton height={waiting} animate={false} />
        </div>
      ) : (
        waiting
      ))}
  </>
)
