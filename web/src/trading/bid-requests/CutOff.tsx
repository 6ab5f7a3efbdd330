import type { Data } from '@gridmast/contract/call.ts'
import { findBidGates } from '@gridmast/contract/trading/bid-requests.ts'
import { formatDate, formatTime } from '@gridmast/contract/time.ts'
import { IconClock } from '@tabler/icons-react'
import { useEffect } from 'react'
import { hoursMinutesSeconds, useIsOver, useSecondsUntil } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import classes from './bid-requests.module.css'

export type Gates = Data<typeof findBidGates>

export const useGates = (market: string) => {
  const read = useCall(findBidGates, { sent: { query: { market } }, refetchIntervalMs: 60_000, keepWhile: market })
  const next = Math.min(...(read.data?.gates ?? []).map(({ cutOffAt }) => Date.parse(cutOffAt)))
  const isOver = useIsOver(Number.isFinite(next) ? next : 0)
  const { refetch } = read
  useEffect(() => {
    if (isOver && Number.isFinite(next)) void refetch()
  }, [isOver, next, refetch])
  return read
}

export const CutOff = ({ gates }: { gates: Gates['gates'] }) => (
  <Stack as="ul" gap={2} below={2} end="wide" className={classes.cutOffs}>
    {gates.map((gate) => (
      <Gate key={gate.auction} {...gate} />
    ))}
  </Stack>
)

const Gate = ({ auction, day, cutOffAt }: Gates['gates'][number]) => {
  const cutOffMs = Date.parse(cutOffAt)
  const secondsLeft = useSecondsUntil(cutOffMs)
  const words = { day: formatDate(day), at: `${formatDate(cutOffMs).slice(0, 6)} ${formatTime(cutOffMs).slice(0, 5)}` }
  return (
    <Row as="li" gap={6} nowrap ink="ink2" size="label">
      <IconClock size={14} stroke={1.8} aria-hidden />
      <span>
        {auction && `${auction}: `}
        {auction ? t('bids for {{day}} are sent {{at}}', words) : t('Bids for {{day}} are sent {{at}}', words)}{' '}
        {/* A screen reader would read each second. */}
        <Text as="b" weight="strong" ink={secondsLeft < 3600 ? 'warn' : 'ink1'} className="gm-num" aria-hidden>
          {t('in {{left}}', { left: hoursMinutesSeconds(secondsLeft) })}
        </Text>
      </span>
    </Row>
  )
}
