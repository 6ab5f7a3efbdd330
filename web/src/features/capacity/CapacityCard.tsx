import { powerCapacity } from '@gridmast/contract/capacity.ts'
import { capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import { capacityWindow, minuteMs } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { downloadCall } from '#lib/download.ts'
import { useLive } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { useFeed } from '#ui/Chart/feed.ts'
import { LiveFigure, LiveReported } from '#ui/Chart/LiveParts.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { useReading } from '#ui/Chart/reading.ts'
import { useStale } from '#ui/Chart/useStale.ts'

const keepMs = 17 * minuteMs
const staleMs = 2 * minuteMs
const gapMs = minuteMs
const rereadMs = 5 * minuteMs

/** Power capacity of one market, 16 minutes before to 1 minute after the last report, live. */
export const CapacityCard = ({ market, instanceId }: { market: string; instanceId: string | undefined }) => {
  const { t } = useTranslation()
  const query = useCall(powerCapacity, { sent: { query: { market, instanceId } }, refetchIntervalMs: rereadMs })
  const answer = query.data?.graph[0]
  const feed = useFeed(keepMs, answer)
  useLive(query.data?.instance?._id ?? instanceId, isMarket(market) ? capacityKind(market) : 'capacityUp', feed.push)
  const stale = useStale(feed, staleMs) !== null

  const model = useMemo((): ChartModel | null => {
    if (!query.data || !answer) return null
    const span = { fromMs: Date.parse(query.data.from), toMs: Date.parse(query.data.to) }
    return {
      series: [{ ...answer, name: 'Power capacity', colour: 1 }],
      span,
      unit: 'kW',
      decimals: 1,
      fromZero: false,
      liveEnd: 'dot',
      futureFromMs: span.toMs - minuteMs,
      gapsOver: { ms: gapMs, words: t('No telemetry') },
      stale,
    }
  }, [query.data, answer, stale, t])

  return (
    <ChartPanel
      title={market}
      note={t('Power capacity')}
      compact
      figures={<LiveFigure feed={feed} unit="kW" decimals={1} size="l" />}
      height={170}
      model={model}
      live={{ feed, slide: capacityWindow }}
      reading={useReading(query)}
      failed={t('Power capacity could not be loaded.')}
      empty={
        <>
          <b>{t('No capacity reported')}</b>
          <span>{t('The instance has not reported yet.')}</span>
        </>
      }
      foot={<LiveReported feed={feed} at={query.data?.lastReported} staleAfterMs={staleMs} />}
      onDownload={(format) =>
        void downloadCall(
          powerCapacity,
          { query: { market, instanceId, format } },
          `Power capacity ${market}.${format}`,
        )
      }
    />
  )
}
