import { powerCost } from '@gridmast/contract/grid/prices.ts'
import {
  type LocalDate,
  addDays,
  dayBounds,
  formatDate,
  hourMs,
  localDateOf,
  quarterMs,
  today,
  weekday,
} from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import { useAgeOver, useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { useCalls } from '#lib/query.ts'
import { digits, exchangeWords } from '#lib/format.ts'
import { StaleBanner } from '#ui/Loaded.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { clockLabel, endLabel } from '#ui/Chart/shape.ts'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { Segments } from '#ui/Segments.tsx'
import { useUser } from '#lib/user.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Grid, Note, Row } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import {
  type DayAheadFigures,
  type PriceDay,
  type PriceSlot,
  bandFigures,
  bands,
  dayAheadFigures,
  dayAheadModel,
  slotsOf,
} from './day-ahead.ts'
import { canBeStale, isLate, missingWords, publishedAt, silentMs } from './price-figures.ts'
import type { PriceResolution } from './PowerCostCard.tsx'
import classes from '#grid/grid.module.css'

type Props = {
  priceSignal: string
  start: LocalDate
  days: number
  resolution: PriceResolution
  onResolution: (resolution: PriceResolution) => void
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const useDays = (priceSignal: string, start: LocalDate, count: number, resolution: PriceResolution) => {
  const dates = Array.from({ length: count }, (_, i) => addDays(start, i))
  const reads = useCalls(
    powerCost,
    dates.map((date) => ({ query: { date, priceSignal, resolution } })),
  )
  const days = dates.map((date, i): PriceDay => ({
    date,
    answer: reads[i]?.data,
    pending: reads[i]?.isPending ?? true,
  }))
  return { days, reads, isPending: reads.some((read) => read.isPending) }
}

/** The first day that should have prices by now, and the age of the newest price once it is too old for a day that is not over. */
const useStaleness = (days: readonly PriceDay[], isPending: boolean, nowMs: number) => {
  const reported = isPending
    ? []
    : days.flatMap(({ answer }) => (answer?.lastReported ? [Date.parse(answer.lastReported)] : []))
  const reportedMs = reported.length > 0 ? Math.max(...reported) : null
  const age = useAgeOver(() => reportedMs, silentMs)
  const isOver = days.every(({ date }) => !canBeStale(date, nowMs))
  const late = days.find(
    ({ date, answer }) => answer?.prices.length === 0 && canBeStale(date, nowMs) && isLate(date, nowMs),
  )
  return { late: late?.date, reportedMs, staleAge: isOver ? null : age }
}

const noteOf = (first: string, last: string, count: number, isHour: boolean) => {
  const dates =
    first === last
      ? `${t(weekdays[weekday(first) - 1] ?? 'Monday')} ${formatDate(first)}`
      : `${formatDate(first)} – ${formatDate(last)}`
  if (count === 0) return dates
  return `${dates} · ${t(isHour ? '{{count}} hours' : '{{count}} quarters', { count })}`
}

export const DayAheadCard = ({ priceSignal, start, days: count, resolution, onResolution }: Props) => {
  const now = useNow(60_000)
  const { days, reads, isPending } = useDays(priceSignal, start, count, resolution)
  const { late, reportedMs, staleAge } = useStaleness(days, isPending, now)
  const lastDate = days.at(-1)?.date ?? start
  // Figures cover all days: none is shown while a day is loading.
  const isWhole = days.every((day) => day.answer)
  const slots = isPending ? [] : days.flatMap(({ answer }) => slotsOf(answer?.prices ?? []))
  const answer = days.find((day) => day.answer)?.answer
  const signals = useUser().customerId.powerCost
  const area = answer?.area ?? (signals.find(({ _id }) => _id === priceSignal) ?? signals[0])?.area
  const isHour = isPending
    ? resolution === 'hour'
    : slots.length > 0 && slots.every(({ fromMs, toMs }) => toMs - fromMs === hourMs)
  const expected = (dayBounds(lastDate).toMs - dayBounds(start).fromMs) / (isHour ? hourMs : quarterMs)
  const figures = isWhole ? dayAheadFigures(slots, now) : null
  const contentKey = JSON.stringify(days.map((day) => [day.date, day.answer?.prices.length, day.answer?.lastReported]))
  // Each render has new arrays of the same prices; the canvas is drawn again for new prices only.
  const model = useMemo(
    () => (isPending ? null : dayAheadModel({ days, slots, figures, isHour, nowMs: now, stale: staleAge !== null })),
    // oxlint-disable-next-line react/exhaustive-deps
    [contentKey, answer, isPending, isHour, now, staleAge !== null],
  )
  return (
    <>
      <ChartPanel
        title="Nordpool"
        help="dayAhead"
        note={`(DKK/mW) ${noteOf(start, lastDate, isPending ? expected : slots.length, isHour)}`}
        badge={
          area && (
            <>
              <Tag>{area}</Tag>
              {answer?.basis === 'derived' && <Tag>{t('Converted from EUR')}</Tag>}
            </>
          )
        }
        controls={
          <Segments
            label={t('Resolution')}
            value={resolution}
            onChange={onResolution}
            data={[
              { value: 'quarter', label: t('15 min') },
              { value: 'hour', label: t('Hour') },
            ]}
          />
        }
        figures={<Figures figures={figures} isHour={isHour} several={count > 1} />}
        legend={[
          { name: t('Price'), colour: 1 },
          figures !== null && figures.belowZero > 0 && { name: t('Negative price'), colour: 3 },
          { name: t('Average'), colour: 'ink2', line: true, dashed: true },
        ]}
        height={390}
        query={reads}
        model={model}
        failed={t('Prices could not be loaded.')}
        banner={
          late && (
            <StaleBanner title={t('Prices are late.')}>
              {t('Prices for {{day}} were expected {{date}} around {{time}}.', {
                day: formatDate(late),
                date: formatDate(addDays(late, -1)),
                time: publishedAt,
              })}
            </StaleBanner>
          )
        }
        staleAge={staleAge}
        empty={missingWords(start, now)}
        hint={
          start < today(now)
            ? t('The source has not published prices or has not responded.')
            : t('Prices appear here automatically.')
        }
        reported={{ atMs: reportedMs, staleAfterMs: canBeStale(lastDate, now) ? silentMs : undefined }}
        source={answer?.source}
        footRight={answer && exchangeWords(answer.exchange)}
        onDownload={fileOf(powerCost, { query: { date: start, days: count, priceSignal, resolution } })}
      />
      <BandCards slots={isWhole ? slots : []} />
    </>
  )
}

const Figures = ({
  figures,
  isHour,
  several,
}: {
  figures: DayAheadFigures | null
  isHour: boolean
  several: boolean
}) => {
  const at = (ms: number) => (several ? `${formatDate(localDateOf(ms)).slice(0, 6)} ${clockLabel(ms)}` : clockLabel(ms))
  const { average, lowest, highest, cheapest, spread, belowZero } = figures ?? {}
  return (
    <>
      <Figure label={t('Average')} value={average} />
      <Figure label={lowest ? `${t('Lowest')} ${at(lowest.fromMs)}` : t('Lowest')} value={lowest?.price} />
      <Figure label={highest ? `${t('Highest')} ${at(highest.fromMs)}` : t('Highest')} value={highest?.price} />
      <TextFigure
        label={
          cheapest
            ? `${t('Cheapest 4 hours')}, ${t('on average')} ${digits.price(cheapest.average)}`
            : t('Cheapest 4 hours')
        }
        value={cheapest ? `${at(cheapest.fromMs)}–${endLabel(cheapest.toMs)}` : undefined}
      />
      <Figure label={t('Spread')} value={spread} />
      <Figure label={isHour ? t('Hours below zero') : t('Quarters below zero')} value={belowZero} decimals={0} />
    </>
  )
}

const two = (hour: number) => String(hour).padStart(2, '0')
const BandCards = ({ slots }: { slots: readonly PriceSlot[] }) => (
  <Grid columns={4} gap="cards">
    {bands.map((band) => {
      const figures = bandFigures(slots, band)
      const label = `${t(band.title)} ${two(band.from)}–${two(band.to)}`
      return (
        <Panel key={band.title} label={label}>
          <Row gap={16} rowGap={4} align="end" justify="between">
            <Figure label={label} value={figures?.average} />
            <Note size="label" className={`gm-num ${classes.extremes}`}>
              {t('Lowest')} {digits.price(figures?.lowest)}
              <br />
              {t('Highest')} {digits.price(figures?.highest)}
            </Note>
          </Row>
        </Panel>
      )
    })}
  </Grid>
)
