import { limits } from '@gridmast/contract/limits.ts'
import { capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import type { Series } from '@gridmast/contract/series.ts'
import type { SimulatedSum } from '@gridmast/contract/source.ts'
import { capacityWindow, minuteMs } from '@gridmast/contract/time.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { FileExport } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { type Feed, useNewest, useStale } from '#ui/Chart/feed.ts'
import type { ChartModel } from '#ui/Chart/model.ts'
import { Figure, Margin } from '#ui/Figure.tsx'
import { Note, Row } from '#ui/Layout.tsx'

/** Length of the chart's window in memory. */
export const keepMs = 17 * minuteMs
export const kindOf = (market: string) => (isMarket(market) ? capacityKind(market) : 'capacityUp')

const staleMs = 2 * minuteMs
const gapMs = minuteMs

type Answer = {
  graph: Series[]
  from: string
  to: string
  lastReported: string | null
  soldKw: number | null
  simulated: SimulatedSum
}

type Props = {
  market: string
  menu: ReactNode
  query: UseQueryResult<Answer>
  feed: Feed
  warning?: ReactNode
  /** Instances that the figure excludes. */
  note?: string | undefined
  onDownload: FileExport
}

/** 16 minutes before to 1 minute after the last report; on a phone a small card without axes. */
export const CapacityPanel = ({ market, menu, query, feed, warning, note, onDownload }: Props) => {
  const small = usePhone()
  const answer = query.data?.graph[0]
  const soldKw = query.data?.soldKw ?? null
  const stale = useStale(feed, staleMs) !== null
  const model = useMemo((): ChartModel | null => {
    if (!query.data || !answer) return null
    const span = { fromMs: Date.parse(query.data.from), toMs: Date.parse(query.data.to) }
    return {
      series: [{ ...answer, name: 'Power capacity', colour: 1 }],
      span,
      unit: 'kW',
      decimals: 1,
      bare: small,
      liveEnd: 'dot',
      futureFromMs: span.toMs - minuteMs,
      gapsOver: { ms: gapMs, words: t('No telemetry') },
      ...(soldKw ? { thresholds: [{ name: t('Sold'), value: soldKw, plate: 'below', isReached: true }] } : {}),
      stale,
    }
  }, [query.data, answer, small, stale, soldKw])
  return (
    <ChartPanel
      title={market}
      help="capacity"
      note={small ? '' : t('Power capacity')}
      compact
      simulatedInFoot
      figures={
        <div style={{ width: '100%', minWidth: 0 }}>
          {menu}
          <Now feed={feed} soldKw={soldKw} pending={query.isPending} />
          {warning && (
            <Note ink="warn" above={2} style={{ fontSize: 11.5, lineHeight: '16px' }}>
              {warning}
            </Note>
          )}
          {note && !small && <Note size="label">{note}</Note>}
        </div>
      }
      height={small ? 44 : 150}
      query={query}
      model={model}
      live={{ feed, slide: capacityWindow }}
      failed={t('Power capacity could not be loaded.')}
      empty={t('No capacity reported')}
      hint={!small && t('Nothing has been reported in the last 15 minutes.')}
      reported={{ feed, staleAfterMs: staleMs, brief: small }}
      onDownload={onDownload}
    />
  )
}

/** Available, sold and remaining or missing capacity; unknown 15 minutes after the last report. */
const Now = ({ feed, soldKw, pending }: { feed: Feed; soldKw: number | null; pending: boolean }) => {
  const newest = useNewest(feed)
  const isSilent = useStale(feed, limits.edgeAliveMs) !== null
  const availableKw = isSilent ? null : (newest?.value ?? null)
  return (
    <Row gap={16} rowGap={2} align="end" justify="between">
      <span className="gm-hidden">{t('Available now')}</span>
      <Figure value={availableKw} unit="kW" decimals={1} size="l" />
      {soldKw !== null && <Margin availableKw={availableKw} soldKw={soldKw} />}
      {pending && <div style={{ width: 300, maxWidth: '100%', height: 23 }} aria-hidden />}
    </Row>
  )
}
