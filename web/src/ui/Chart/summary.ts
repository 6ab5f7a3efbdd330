import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime, hourMs, localTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { type ChartModel, type ChartSeries, isDrawn, seriesName } from './model.ts'
import { startsAboveZero } from './plot.ts'
import { extremesOf, monthLabel, valuesAt } from './shape.ts'

/** A month, or a time within a day; over several days with the date, at midnight the date only. */
const timeWords = (ms: number, { span, timeLabels }: ChartModel): string => {
  if (timeLabels === 'month') return monthLabel(ms)
  const time = localTime(ms)
  if (span.toMs - span.fromMs <= 26 * hourMs) return time
  return time === '00:00' ? formatDate(ms) : `${formatDate(ms)} ${time}`
}

const namedMarks = 8

const markWords = (model: ChartModel): string[] => {
  const marks = model.marks ?? []
  const named = marks.slice(0, namedMarks).map(({ fromMs, words }) => `${words} (${timeWords(fromMs, model)}).`)
  return marks.length > namedMarks ? [...named, t('and {{count}} more', { count: marks.length - namedMarks })] : named
}

export const chartSummary = (model: ChartModel, atMs?: number): string => {
  const number = (value: number | null, { unit, decimals = model.decimals }: ChartSeries) =>
    formatNumber(value, { decimals, unit })
  if (atMs !== undefined) {
    const values = valuesAt(model.series, atMs)
    const time = values[0] ? formatDateTime(values[0].ms) : ''
    return [time, ...values.map(({ series, value }) => `${seriesName(series)} ${number(value, series)}`)].join(', ')
  }
  const parts = model.series.filter(isDrawn).flatMap((series) => {
    const extremes = extremesOf(series)
    if (!extremes) return []
    return t('{{name}}: latest {{latest}} ({{at}}), lowest {{lowest}}, highest {{highest}}.', {
      name: seriesName(series),
      latest: number(extremes.latest.value, series),
      at: timeWords(extremes.latest.ms, model),
      lowest: number(extremes.lowest.value, series),
      highest: number(extremes.highest.value, series),
    })
  })
  return parts.length > 0
    ? [
        ...parts,
        ...(startsAboveZero(model) ? [t('The axis does not start at 0.')] : []),
        ...(model.gaps ?? []).map((gap) => `${gap.words}.`),
        ...markWords(model),
      ].join(' ')
    : [t('No values'), ...markWords(model)].join('. ')
}
