import type { Customer } from '@gridmast/contract/people/user.ts'
import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { frequencyWindow, minuteMs } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { serverAheadMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { fileOf } from '#lib/download.ts'
import { useLive } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { useFeed, useStale } from '#ui/Chart/feed.ts'
import type { ChartModel, Threshold } from '#ui/Chart/model.ts'
import { Tag } from '#ui/Tag.tsx'
import { frequencyRequest } from '#grid/card-requests.ts'

type Signal = Customer['frequency'][number]

const windowMs = 30 * minuteMs
const staleMs = minuteMs
const gapMs = 10_000
const refetchIntervalMs = 5 * minuteMs

export const FrequencyCard = ({ customer, signal }: { customer: Customer; signal: Signal }) => {
  const sent = frequencyRequest(signal._id)
  const query = useCall(frequencySeries, { sent, refetchIntervalMs })
  const answer = query.data?.graph[0]
  const feed = useFeed(windowMs, answer)
  useLive(signal.instanceId, 'frequency', feed.push)
  const stale = useStale(feed, staleMs)
  const { properties } = customer

  const model = useMemo((): ChartModel | null => {
    if (!answer) return null
    const { fromMs, toMs } = frequencyWindow(answer.x.at(-1) ?? query.dataUpdatedAt + serverAheadMs.get())
    const { lowVisible, highVisible } = properties
    return {
      series: [{ ...answer, name: 'Frequency', colour: 1 }],
      span: { fromMs, toMs },
      unit: 'Hz',
      decimals: 2,
      ...(lowVisible === undefined ? {} : { low: lowVisible }),
      ...(highVisible === undefined ? {} : { high: highVisible }),
      thresholds: thresholdsOf(properties),
      band: true,
      liveEnd: 'plate',
      gapsOver: { ms: gapMs, words: t('No telemetry') },
      stale: stale !== null,
    }
  }, [answer, query.dataUpdatedAt, properties, stale])

  return (
    <ChartPanel
      title={t('Frequency')}
      help="frequency"
      note="(Hz)"
      badge={<Tag>{signal.name}</Tag>}
      controls={<span className="gm-meta gm-wide">{t('Last 30 minutes')}</span>}
      staleAge={stale}
      height={220}
      phoneHeight={104}
      query={query}
      model={model}
      live={{ feed, slide: frequencyWindow }}
      failed={t('Frequency could not be loaded.')}
      empty={t('No frequency in the last 30 minutes')}
      hint={t('Nothing was received. Check that the edge is online.')}
      reported={{ feed, staleAfterMs: staleMs }}
      onDownload={fileOf(frequencySeries, { params: sent.params, query: {} })}
    />
  )
}

export const thresholdsOf = ({
  enableLineMin,
  lineMin,
  enableLineMax,
  lineMax,
}: Customer['properties']): Threshold[] => [
  ...(enableLineMax && lineMax !== undefined
    ? [{ name: t('Upper limit'), value: lineMax, plate: 'above' as const }]
    : []),
  ...(enableLineMin && lineMin !== undefined
    ? [{ name: t('Lower limit'), value: lineMin, plate: 'below' as const }]
    : []),
]
