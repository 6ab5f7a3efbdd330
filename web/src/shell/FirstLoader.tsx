import { limits } from '@gridmast/contract/limits.ts'
import { useEffect, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import classes from './Shell.module.css'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '#lib/api.ts'
import { useSecondsUntil } from '#lib/clock.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'

const longestWaitS = 30
const passes = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500

/** The account could not be read: shows the reason and a countdown, and retries where waiting may help. */
export const Unreachable = ({ read, error }: { read: UseQueryResult<unknown, ApiError>; error: ApiError }) => {
  const { errorUpdatedAt, errorUpdateCount, isFetching, refetch } = read
  const waitS = error.retryAfterS ?? Math.min(longestWaitS, 2 ** errorUpdateCount)
  const leftS = useSecondsUntil(errorUpdatedAt + waitS * 1000)
  const retries = passes(error)
  useEffect(() => {
    if (retries && leftS === 0) void refetch()
  }, [retries, leftS, refetch])
  const title = !retries
    ? t('Your account could not be loaded.')
    : error.status === 429
      ? t('Too many requests.')
      : error.status === 0
        ? t('The server cannot be reached.')
        : t('The portal is starting, or busy.')
  return (
    <div className={classes.unreachable}>
      <ErrorBanner title={title} onRetry={() => void refetch()} retrying={isFetching}>
        {/* A timer is not read out every second, unlike the rest of an alert. */}
        {retries ? (
          <span role="timer">{t('Trying again in {{n}} s.', { n: leftS })}</span>
        ) : (
          translateText(error.message)
        )}
      </ErrorBanner>
    </div>
  )
}

/** Counted from the navigation while the page loads underneath, so a slow machine does not wait longer. */
const restMs = () => Math.max(0, limits.firstLoaderMs - performance.now())

/** Covers the first second of the first load, and longer while the account is being read. */
export const FirstLoader = ({ done }: { done: boolean }) => {
  const [over, setOver] = useState(() => restMs() === 0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), restMs())
    return () => clearTimeout(timer)
  }, [])
  if (done && over) return null
  return (
    <div className={classes.loader} role="status" aria-label={t('Loading')}>
      <svg viewBox="0 0 64 32" width={64} height={32} aria-hidden>
        <path d="M2 17h14l7-11 11 21 6-10h22" />
      </svg>
    </div>
  )
}
