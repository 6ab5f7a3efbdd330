import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode, CSSProperties } from 'react'
import { IconAlertCircle, IconClockPause, IconTableOff } from '@tabler/icons-react'
import { t, translateText } from '#lib/i18n.ts'
import classes from './Loaded.module.css'

const bars = [46, 62, 55, 70, 64, 80, 74, 58, 66, 84, 72, 60]

export const ChartSkeleton = ({ height }: { height: number }) => (
  <div
    role="status"
    aria-label={t('Loading')}
    style={{
      minHeight: height,
      flex: 1,
      display: 'flex',
      alignItems: 'flex-end',
      gap: 10,
      padding: '24px 10px 24px 48px',
    }}
  >
    {bars.map((share, i) => (
      <Bone key={i} style={{ flex: 1, height: Math.round(((height - 48) * share) / 100) }} />
    ))}
  </div>
)

/** As high as what is being read. */
export const Waiting = ({ height }: { height: number }) => (
  <div role="status" aria-label={t('Loading')}>
    <Skeleton height={height} animate={false} />
  </div>
)

type BannerProps = { title: string; children?: ReactNode; onRetry?: () => void; retrying?: boolean }

export const ErrorBanner = ({ title, children, onRetry, retrying }: BannerProps) => (
  <div className={classes.banner} data-kind="error" role="alert">
    <IconAlertCircle size={16} stroke={1.8} aria-hidden />
    <p>
      <b>{title}</b> {children}
    </p>
    {onRetry && (
      <button type="button" onClick={onRetry} disabled={retrying}>
        {t('Retry now')}
      </button>
    )}
  </div>
)

export const StaleBanner = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={classes.banner} data-kind="stale" role="status">
    <IconClockPause size={16} stroke={1.8} aria-hidden />
    <p>
      <b>{title}</b> {children}
    </p>
  </div>
)

export type QueryState = Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'isPending' | 'refetch'>

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

export const Empty = ({ title, children, icon }: { title: string; children?: ReactNode; icon?: ReactNode }) => (
  <div className={classes.empty}>
    {icon ?? <IconTableOff size={20} stroke={1.6} aria-hidden />}
    <b>{title}</b>
    {children && <span>{children}</span>}
  </div>
)

export const Bone = ({ style }: { style: CSSProperties }) => <span className={classes.bone} style={style} />

/** Content below a list, hidden until the list is read, because its rows would push it down. */
export const BelowList = ({ isPending, children }: { isPending: boolean; children: ReactNode }) => (
  <div hidden={isPending} style={isPending ? {} : { display: 'contents' }}>
    {children}
  </div>
)

type Props<T> = {
  query: UseQueryResult<T>
  failed: string
  waiting: number | ReactNode
  children?: (data: T) => ReactNode
}

export const Loaded = <T,>({ query, failed, waiting, children }: Props<T>) => (
  <>
    {query.data !== undefined && children?.(query.data)}
    <LoadError query={query} title={failed} />
    {query.isPending &&
      query.fetchStatus !== 'idle' &&
      (typeof waiting === 'number' ? <Waiting height={waiting} /> : waiting)}
  </>
)
