import type { Data } from '@gridmast/contract/call.ts'
import { historyProgress } from '@gridmast/contract/operator/system.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { IconHistory } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { t } from '#lib/i18n.ts'
import { callKey, useCall } from '#lib/query.ts'
import classes from './TopBar.module.css'

const busyMs = 15_000
const quietMs = 5 * minuteMs
const path = callKey(historyProgress)[0]

const isIncomplete = (progress: Data<typeof historyProgress> | undefined) =>
  progress !== undefined && (progress.telemetry !== null || progress.marketData !== null)

const percentOf = (share: number) => Math.floor(100 * share)

export const HistoryNotice = () => {
  const queries = useQueryClient()
  const { data, dataUpdatedAt } = useCall(historyProgress, {
    refetchIntervalMs: (progress) => (isIncomplete(progress) ? busyMs : quietMs),
  })
  const { telemetry = null, marketData = null } = data ?? {}
  const isImporting = isIncomplete(data)
  const wasImporting = useRef(false)
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    if (wasImporting.current) void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== path })
    wasImporting.current = isImporting
  }, [isImporting, dataUpdatedAt, queries])
  if (!isImporting) return null
  const shares = [telemetry, marketData && marketData.done / marketData.all].filter((share) => share !== null)
  const parts = [
    telemetry !== null && t('Measurements: {{percent}} %', { percent: percentOf(telemetry) }),
    marketData && t('Market data: {{done}} of {{count}} months', { done: marketData.done, count: marketData.all }),
  ].filter((part) => part !== false && part !== null)
  const words = t('History is being imported: {{percent}} %', { percent: percentOf(Math.min(...shares)) })
  return (
    <Link
      data-tip={parts.join(' · ')}
      to="/systemOverview"
      className={classes.history}
      data-history
      aria-label={`${words}. ${parts.join('. ')}`}
    >
      <IconHistory size={15} stroke={1.8} aria-hidden />
      <span className={classes.words}>{words}</span>
      <span className={classes.short}>{percentOf(Math.min(...shares))} %</span>
    </Link>
  )
}
