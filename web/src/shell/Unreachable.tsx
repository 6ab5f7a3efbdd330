import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ApiError } from '#lib/api.ts'
import { useSecondsUntil } from '#lib/countdown.ts'
import { t, translateText } from '#lib/i18n.ts'
import { ErrorBanner } from '#ui/Banner.tsx'
import classes from './Shell.module.css'

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
