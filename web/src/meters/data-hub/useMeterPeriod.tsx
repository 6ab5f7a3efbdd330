import { limits } from '@gridmast/contract/limits.ts'
import { meterColumns } from '@gridmast/contract/meters/periods.ts'
import { type LocalDate, localDateOf, type Span } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { rangeWords } from '#ui/Chart/range-words.ts'
import { RangePicker } from '#ui/Chart/RangePicker.tsx'
import { intervalText, startAndEnd } from '#ui/Chart/range.ts'
import { useTimeRange } from '#ui/Chart/useTimeRange.ts'
import { type MeterView, type Period, periodOf } from './meter-words.ts'

export const rangePeriod = (range: Span, words: string): Period => {
  const { by, span } = meterColumns(range)
  return {
    by,
    span,
    first: localDateOf(span.fromMs),
    last: localDateOf(span.toMs - 1),
    words,
    sent: startAndEnd(range),
  }
}

/** The day, month or year, or the range of the URL in its place; a zoom is a part of it. */
export const useMeterPeriod = (view: MeterView, date: LocalDate) => {
  const { unzoomed, chosen, choose } = useTimeRange()
  const { fromMs, toMs } = unzoomed ?? {}
  const period = useMemo(
    () =>
      chosen === undefined || fromMs === undefined || toMs === undefined
        ? periodOf(view, date)
        : rangePeriod({ fromMs, toMs }, rangeWords(chosen)),
    [view, date, chosen, fromMs, toMs],
  )
  const place: Record<string, string> = unzoomed ? { range: intervalText(unzoomed) } : { date }
  return {
    period,
    isRange: chosen !== undefined,
    /** Names the period in a copied link. */
    place,
    /** A running range keeps its figures while it is read again. */
    keepWhile: chosen,
    picker: (
      <RangePicker shown={period} chosen={chosen} zoom={undefined} onChoose={choose} mostDays={limits.meterDays} />
    ),
  }
}
