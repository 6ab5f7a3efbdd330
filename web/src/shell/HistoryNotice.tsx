import { Tooltip } from '@mantine/core'
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

const percentOf = (share: number) => Math.floor(100 * share)

export const HistoryNotice = () => {
  const queries = useQueryClient()
  const known = queries.getQueryData<{ telemetry: number | null; marketData: object | null }>(callKey(historyProgress))
  const isBusy = known !== undefined && (known.telemetry !== null || known.marketData !== null)
  const read = useCall(historyProgress, { refetchIntervalMs: isBusy ? busyMs : quietMs })
  const { telemetry = null, marketData = null } = read.data ?? {}
  const isArriving = telemetry !== null || marketData !== null
  const { dataUpdatedAt } = read
  const wasArriving = useRef(false)
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    if (wasArriving.current) void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== path })
    wasArriving.current = isArriving
  }, [isArriving, dataUpdatedAt, queries])
  if (!isArriving) return null
  const shares = [telemetry, marketData && marketData.done / marketData.all].filter((share) => share !== null)
  const parts = [
    telemetry !== null && t('Measurements: {{percent}} %', { percent: percentOf(telemetry) }),
    marketData && t('Market data: {{done}} of {{count}} months', { done: marketData.done, count: marketData.all }),
  ].filter((part) => part !== false && part !== null)
  const words = t('History is still arriving: {{percent}} %', { percent: percentOf(Math.min(...shares)) })
  return (
    <Tooltip label={parts.join(' · ')}>
      <Link to="/systemOverview" className={classes.history} data-history aria-label={`${words}. ${parts.join('. ')}`}>
        <IconHistory size={15} stroke={1.8} aria-hidden />
        <span className={classes.words}>{words}</span>
        <span className={classes.short}>{percentOf(Math.min(...shares))} %</span>
      </Link>
    </Tooltip>
  )
}
