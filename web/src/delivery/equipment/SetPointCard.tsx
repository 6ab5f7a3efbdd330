import { setPointSeries } from '@gridmast/contract/grid/frequency.ts'
import { type Span, minuteMs } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import { fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { startAndEnd } from '#ui/Chart/range.ts'
import { spanWords } from '#ui/Chart/range-words.ts'
import { describeGaps, findGaps, gapsText } from '#ui/Chart/shape.ts'
import { Tag } from '#ui/Tag.tsx'

const maxPoints = 1800
const silentMs = minuteMs
const staleMs = 2 * minuteMs

type Props = {
  instance: Customer['instances'][number]
  span: Span
  running: boolean
  /** The last answer is kept while this period is unchanged. */
  keepWhile: string
}

/** Set point of an instance over the same time as the frequency. */
export const SetPointCard = ({ instance, span, running, keepWhile: period }: Props) => {
  const { fromMs, toMs } = span
  const window = { instanceId: instance._id, ...startAndEnd(span) }
  const query = useCall(setPointSeries, {
    sent: { query: { ...window, maxPoints } },
    keepWhile: `${instance._id} ${period}`,
  })
  const answer = query.data?.graph[0]
  const model = useMemo((): ChartModel | null => {
    if (!query.data) return null
    const { x, y, unit } = answer ?? { x: [], y: [], unit: '%' }
    const gapMs = Math.max(silentMs, (4 * (toMs - fromMs)) / maxPoints)
    return {
      series: [{ name: 'Set Point', unit, kind: 'step', colour: 1, x, y }],
      span: { fromMs, toMs },
      unit,
      decimals: 1,
      ...(y.every((value) => value === null || (value >= 0 && value <= 100)) ? { low: 0, high: 100 } : {}),
      fromZero: true,
      gaps: describeGaps(findGaps(x, y, gapMs), t('No telemetry')),
      ...(running ? { futureFromMs: toMs - minuteMs } : {}),
    }
  }, [query.data, answer, fromMs, toMs, running])
  return (
    <ChartPanel
      title={t('Set Point')}
      note={`(${answer?.unit ?? '%'}) ${spanWords({ fromMs, toMs })}`}
      badge={<Tag>{instance.name}</Tag>}
      height={260}
      query={query}
      model={model}
      failed={t('The set point could not be loaded.')}
      empty={t('No set point in this period')}
      hint={t('The instance received no set point. Choose another period.')}
      reported={{ staleAfterMs: running ? staleMs : undefined }}
      footRight={gapsText(model?.gaps ?? [], (count) => t('{{count}} gaps in telemetry', { count }))}
      onDownload={fileOf(setPointSeries, { query: window })}
    />
  )
}
