import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { LoadError } from './LoadError.tsx'

type Props<T> = {
  query: UseQueryResult<T>
  /** Title of the error. */
  failed: string
  /** While loading: a box of this height, or other content. */
  waiting: number | ReactNode
  children?: (data: T) => ReactNode
}

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
