import type { Customer } from '@gridmast/contract/user.ts'
import { instanceOverview } from '@gridmast/contract/capacity.ts'
import { type Span, dayBounds, hourMs, localDateOf, localTime, minuteMs, today } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { useLive } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel, Legend } from '#ui/Chart/ChartPanel.tsx'
import { useFeed } from '#ui/Chart/feed.ts'
import { LiveFigure, LiveReported } from '#ui/Chart/LiveParts.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { usePalette } from '#ui/Chart/palette.ts'
import { useReading } from '#ui/Chart/reading.ts'
import { describeGaps, extremesOf, findGaps } from '#ui/Chart/shape.ts'
import { useStale } from '#ui/Chart/useStale.ts'
import { downloadCall } from '#lib/download.ts'
import { ChoiceMenu } from '#ui/ChoiceMenu.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Segments } from '#ui/Segments.tsx'

export type InstanceView = 'power' | 'consumption'

type Props = {
  instances: Customer['instances']
  instanceId: string
  onInstance: (instanceId: string) => void
  view: InstanceView
  onView: (view: InstanceView) => void
}

const dayMs = 25 * hourMs
const stepMs = minuteMs
const staleMs = 2 * minuteMs
const gapMs = 5 * minuteMs
const rereadMs = 5 * minuteMs

const wholeDay = (newestMs: number): Span => dayBounds(localDateOf(newestMs))

/** Power of an instance over today, live, or its consumption hour by hour. */
export const InstanceCard = ({ instances, instanceId, onInstance, view, onView }: Props) => {
  const { t } = useTranslation()
  const palette = usePalette()
  const date = today(useNow(60_000))
  const query = useCall(instanceOverview, {
    sent: { query: { groupId: instanceId, date } },
    refetchIntervalMs: rereadMs,
  })
  const power = query.data?.powerData[0]
  const consumption = query.data?.consumptionData[0]
  const measured = useMemo(() => {
    const known = power?.x.flatMap((ms, i) => (power.y[i] === null ? [] : [i])) ?? []
    return power && { x: known.map((i) => power.x[i] ?? 0), y: known.map((i) => power.y[i] ?? null) }
  }, [power])
  const feed = useFeed(dayMs, measured, stepMs)
  const setPoint = useFeed(minuteMs, undefined)
  useLive(instanceId, 'power', feed.push)
  useLive(instanceId, 'setPoint', setPoint.push)
  const stale = useStale(feed, staleMs) !== null

  const gaps = useMemo(
    () => (measured ? describeGaps(findGaps(measured.x, measured.y, gapMs), t('No telemetry')) : []),
    [measured, t],
  )
  const model = useMemo((): ChartModel | null => {
    if (!measured || !consumption) return null
    const common = { span: dayBounds(date), decimals: 1, fromZero: true }
    if (view === 'consumption')
      return {
        ...common,
        unit: 'kWh',
        series: [{ ...consumption, name: 'Consumption', colour: 1, slotMs: hourMs }],
        timeLabels: 'hour',
      }
    return {
      ...common,
      unit: 'kW',
      series: [{ ...measured, name: 'Power', unit: 'kW', kind: 'line', colour: 1 }],
      liveEnd: 'dot',
      gapsOver: { ms: gapMs, words: t('No telemetry') },
      stale,
    }
  }, [measured, consumption, view, date, stale, t])

  const peak = measured ? extremesOf(measured)?.highest : undefined
  const total = consumption?.y.some((value) => value !== null)
    ? consumption.y.reduce<number>((sum, value) => sum + (value ?? 0), 0)
    : null
  const name = query.data?.group.name ?? ''
  return (
    <ChartPanel
      title={name}
      note={view === 'power' ? t('Power (kW)') : t('Consumption (kWh)')}
      badge={
        <ChoiceMenu
          label={t('Choose an instance')}
          choices={instances.map(({ _id, name: label }) => ({ value: _id, label }))}
          chosen={instanceId}
          onChoose={onInstance}
          titled
        />
      }
      simulated={query.data?.simulated}
      controls={
        <Segments
          label={t('View')}
          value={view}
          onChange={onView}
          data={[
            { value: 'power', label: t('Power (kW)') },
            { value: 'consumption', label: t('Consumption (kWh)') },
          ]}
        />
      }
      figures={
        <>
          <LiveFigure feed={feed} label={t('Now')} unit="kW" decimals={1} />
          <Figure label={t('Today')} value={total} decimals={1} unit="kWh" />
          <Figure
            label={peak ? `${t('Peak')} ${localTime(peak.ms)}` : t('Peak')}
            value={peak?.value}
            decimals={1}
            unit="kW"
          />
          <LiveFigure feed={setPoint} label={t('Set point')} unit="%" decimals={0} spare />
        </>
      }
      legend={<Legend keys={[{ name: t('Measured'), color: palette.data(1), line: view === 'power' }]} />}
      height={190}
      model={model}
      {...(view === 'power' ? { live: { feed, slide: wholeDay } } : {})}
      reading={useReading(query)}
      failed={t('Power could not be loaded.')}
      empty={
        <>
          <b>{t('Nothing measured today')}</b>
          <span>{t('The instance has not reported since midnight.')}</span>
        </>
      }
      foot={<LiveReported feed={feed} at={query.data?.lastReported} staleAfterMs={staleMs} />}
      footRight={
        gaps.length === 1
          ? gaps[0]?.words
          : gaps.length > 1
            ? t('{{count}} gaps in telemetry', { count: gaps.length })
            : null
      }
      onDownload={(format) =>
        void downloadCall(
          instanceOverview,
          { query: { groupId: instanceId, date, format } },
          `${name} ${date}.${format}`,
        )
      }
    />
  )
}
