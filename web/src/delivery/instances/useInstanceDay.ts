import { instanceOverview } from '@gridmast/contract/grid/capacity.ts'
import { type LocalDate, dayBounds, hourMs, localTime, minuteMs, today } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useLive } from '#lib/live.ts'
import { fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { useFeed, useStale } from '#ui/Chart/feed.ts'
import type { ChartModel } from '#ui/Chart/model.ts'
import { describeGaps, extremesOf, findGaps, gapsText } from '#ui/Chart/shape.ts'

export type InstanceView = 'power' | 'consumption'

export const staleMs = 2 * minuteMs
const dayMs = 25 * hourMs
const gapMs = 5 * minuteMs
const rereadMs = 5 * minuteMs

/** A day of an instance as a chart of its power, live while the day is today, or of its consumption hour by hour. Give the component a key of instance and day. */
export const useInstanceDay = (instanceId: string, date: LocalDate, view: InstanceView) => {
  const isToday = date === today(useNow(60_000))
  const sent = { query: { groupId: instanceId, date } }
  const query = useCall(instanceOverview, {
    sent,
    ...(isToday ? { refetchIntervalMs: rereadMs } : {}),
  })
  const power = query.data?.powerData[0]
  const consumption = query.data?.consumptionData[0]
  const measured = useMemo(() => {
    const known = power?.x.flatMap((ms, i) => (power.y[i] === null ? [] : [i])) ?? []
    return power && { x: known.map((i) => power.x[i] ?? 0), y: known.map((i) => power.y[i] ?? null) }
  }, [power])
  const feed = useFeed(dayMs, measured, minuteMs)
  useLive(isToday ? instanceId : undefined, 'power', feed.push)
  const isSilent = useStale(feed, staleMs) !== null
  const stale = isToday && isSilent

  const gaps = useMemo(
    () => (measured ? describeGaps(findGaps(measured.x, measured.y, gapMs), t('No telemetry')) : []),
    [measured],
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
      ...(isToday ? { liveEnd: 'dot' as const } : {}),
      gapsOver: { ms: gapMs, words: t('No telemetry') },
      stale,
    }
  }, [measured, consumption, view, date, isToday, stale])

  const peak = measured ? extremesOf(measured)?.highest : undefined
  return {
    query,
    download: fileOf(instanceOverview, sent),
    feed,
    isToday,
    model,
    peak: {
      label: peak ? `${t('Peak')} ${localTime(peak.ms)}` : t('Peak'),
      value: peak?.value,
    },
    totalKwh: consumption?.y.some((value) => value !== null)
      ? consumption.y.reduce<number>((sum, value) => sum + (value ?? 0), 0)
      : null,
    gapWords: gapsText(gaps, (count) => t('{{count}} gaps in telemetry', { count })),
  }
}
