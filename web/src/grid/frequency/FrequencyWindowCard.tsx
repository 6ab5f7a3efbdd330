import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { type Span, minuteMs } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { type ReactNode, useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import { fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { startAndEnd } from '#ui/Chart/range.ts'
import { spanWords } from '#ui/Chart/range-words.ts'
import { describeGaps, extremesOf, findGaps } from '#ui/Chart/shape.ts'
import { Figure } from '#ui/Figure.tsx'
import { Tag } from '#ui/Tag.tsx'
import { thresholdsOf } from './FrequencyCard.tsx'

type Signal = Customer['frequency'][number]

const maxPoints = 1800
const silentMs = 10_000
const staleMs = minuteMs

type Props = {
  customer: Customer
  signal: Signal
  span: Span
  running: boolean
  keepWhile: string
  controls?: ReactNode
}

export const FrequencyWindowCard = ({ customer, signal, span, running, keepWhile: period, controls }: Props) => {
  const { fromMs, toMs } = span
  const params = { id: signal._id }
  const window = startAndEnd(span)
  const query = useCall(frequencySeries, {
    sent: { params, query: { ...window, maxPoints } },
    keepWhile: `${signal._id} ${period}`,
  })
  const { properties } = customer
  const answer = query.data?.graph[0]
  const model = useMemo((): ChartModel | null => {
    if (!query.data) return null
    const { lowVisible, highVisible } = properties
    const { x, y } = answer ?? { x: [], y: [] }
    // In a long window a point covers many seconds, so a gap is several points.
    const gapMs = Math.max(silentMs, (4 * (toMs - fromMs)) / maxPoints)
    return {
      series: [{ name: 'Frequency', unit: 'Hz', kind: 'line', colour: 1, x, y }],
      span: { fromMs, toMs },
      unit: 'Hz',
      decimals: 3,
      ...(lowVisible === undefined ? {} : { low: lowVisible }),
      ...(highVisible === undefined ? {} : { high: highVisible }),
      thresholds: thresholdsOf(properties),
      band: true,
      gaps: describeGaps(findGaps(x, y, gapMs), t('No telemetry')),
      ...(running ? { futureFromMs: toMs - minuteMs } : {}),
    }
  }, [query.data, answer, properties, fromMs, toMs, running])
  const source = query.data?.source
  const extremes = answer ? extremesOf(answer) : null
  return (
    <ChartPanel
      title={t('Frequency')}
      help="frequency"
      note={`(Hz) ${spanWords({ fromMs, toMs })}`}
      badge={<Tag>{signal.name}</Tag>}
      controls={controls}
      figures={
        <>
          <Figure label={t('Latest')} value={extremes?.latest.value} decimals={3} unit="Hz" />
          <Figure label={t('Lowest')} value={extremes?.lowest.value} decimals={3} unit="Hz" />
          <Figure label={t('Highest')} value={extremes?.highest.value} decimals={3} unit="Hz" />
        </>
      }
      height={340}
      query={query}
      model={model}
      failed={t('Frequency could not be loaded.')}
      empty={t('No frequency in this period')}
      hint={t('Nothing was received. Choose another period, or check that the edge was online.')}
      reported={{ staleAfterMs: running ? staleMs : undefined }}
      footRight={
        source &&
        t('Public measurement of {{area}}: {{source}}', {
          area: source.area,
          source: `${source.name}, ${source.dataset}`,
        })
      }
      onDownload={fileOf(frequencySeries, { params, query: window })}
    />
  )
}
