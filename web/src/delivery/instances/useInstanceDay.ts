import { consumptionStep, instanceOverview } from '@gridmast/contract/grid/capacity.ts'
import {
  type LocalDate,
  dayBounds,
  formatDate,
  hourMs,
  localDateOf,
  localTime,
  minuteMs,
  today,
} from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLive } from '#lib/live.ts'
import { fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { useFeed, useStale } from '#ui/Chart/feed.ts'
import type { LiveSource } from '#ui/Chart/feed.ts'
import type { ChartModel } from '#ui/Chart/model.ts'
import type { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { describeGaps, extremesOf, findGaps, gapsText } from '#ui/Chart/shape.ts'

export type InstanceView = 'power' | 'consumption'

export const staleMs = 2 * minuteMs
const dayMs = 25 * hourMs
const shortestGapMs = 5 * minuteMs
const rereadMs = 5 * minuteMs

/** Longer windows that end now are read again instead of moved by each sample. */
const longestLiveMs = 24 * hourMs
const maxPoints = 1500
const noGapPoints = 4

export const wholeDay = (newestMs: number) => dayBounds(localDateOf(newestMs))

type Shown = Pick<ReturnType<typeof useDayOrRange>, 'range' | 'window' | 'kept'>

/**
 * A day of an instance, or the chosen range, as a chart of its power, live until now, or of its consumption by hour or day. Give the component
 * a key of instance and day.
 */
export const useInstanceDay = (
  instanceId: string,
  date: LocalDate,
  view: InstanceView,
  { range, window, kept }: Shown = { range: null, window: { date }, kept: date },
) => {
  const isToday = date === today(useNow(60_000))
  const lengthMs = range?.running?.lengthMs ?? null
  const isRunning = range ? range.running !== null : isToday
  const isLive = range ? lengthMs !== null && lengthMs <= longestLiveMs : isToday
  const { fromMs, toMs } = range?.span ?? dayBounds(date)
  const sent = { query: { groupId: instanceId, ...window } }
  const query = useCall(instanceOverview, {
    sent,
    ...(isRunning ? { refetchIntervalMs: rereadMs } : {}),
    keepWhile: `${instanceId} ${kept}`,
  })
  const power = query.data?.powerData[0]
  const consumption = query.data?.consumptionData[0]
  const measured = useMemo(() => {
    const places = power?.x.flatMap((ms, i) => (power.y[i] === null ? [] : [i])) ?? []
    return power && { x: places.map((i) => power.x[i] ?? 0), y: places.map((i) => power.y[i] ?? null) }
  }, [power])
  const feed = useFeed(dayMs, isLive ? measured : undefined, minuteMs)
  useLive(isLive ? instanceId : undefined, 'power', feed.push)
  const isSilent = useStale(feed, staleMs) !== null
  const stale = isLive && isSilent
  const slide: LiveSource['slide'] =
    lengthMs === null ? wholeDay : (newestMs) => ({ fromMs: newestMs - lengthMs, toMs: newestMs })

  // In a long window a point covers many minutes, so a gap is several points.
  const gapMs = Math.max(shortestGapMs, (noGapPoints * (toMs - fromMs)) / maxPoints)
  const gaps = useMemo(
    () => (measured ? describeGaps(findGaps(measured.x, measured.y, gapMs), t('No telemetry')) : []),
    [measured, gapMs],
  )
  const model = useMemo((): ChartModel | null => {
    if (!measured || !consumption) return null
    const common = { span: { fromMs, toMs }, decimals: 1, fromZero: true }
    const isByDay = consumptionStep({ fromMs, toMs }) === 'day'
    if (view === 'consumption')
      return {
        ...common,
        unit: 'kWh',
        series: [
          {
            ...consumption,
            name: 'Consumption',
            colour: 1,
            ...(isByDay ? { ends: consumption.x.map((ms) => wholeDay(ms).toMs) } : { slotMs: hourMs }),
          },
        ],
        ...(range ? {} : { timeLabels: 'hour' as const }),
      }
    return {
      ...common,
      unit: 'kW',
      series: [{ ...measured, name: 'Power', unit: 'kW', kind: 'line', colour: 1 }],
      ...(isLive ? { liveEnd: 'dot' as const } : {}),
      gaps,
      gapsOver: { ms: gapMs, words: t('No telemetry') },
      stale,
    }
  }, [measured, consumption, view, range, fromMs, toMs, gapMs, gaps, isLive, stale])

  const peak = measured ? extremesOf(measured)?.highest : undefined
  return {
    query,
    download: fileOf(instanceOverview, sent),
    feed,
    live: isLive && view === 'power' ? { feed, slide } : undefined,
    isLive,
    model,
    peak: {
      label: peak
        ? `${t('Peak')} ${toMs - fromMs > 25 * hourMs ? `${formatDate(peak.ms)} ` : ''}${localTime(peak.ms)}`
        : t('Peak'),
      value: peak?.value,
    },
    totalKwh: consumption?.y.some((value) => value !== null)
      ? consumption.y.reduce<number>((sum, value) => sum + (value ?? 0), 0)
      : null,
    gapWords: gapsText(gaps, (count) => t('{{count}} gaps in telemetry', { count })),
  }
}
