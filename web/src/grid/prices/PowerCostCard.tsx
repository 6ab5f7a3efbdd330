import { powerCost } from '@gridmast/contract/grid/prices.ts'
import { type LocalDate, addDays, dayBounds, hourMs, today } from '@gridmast/contract/time.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { subjectOf, useUser } from '#lib/user.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import { Figure } from '#ui/Figure.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import type { PowerCost } from './day-ahead.ts'
import { type PricePoint, priceFigures, publishedAt, silentMs } from './price-figures.ts'
import { MenuItem } from '#ui/Menu.tsx'

export type PriceDay = 'today' | 'tomorrow'
export type PriceResolution = 'hour' | 'quarter'

type Props = {
  priceSignal: string | undefined
  day: PriceDay
  resolution: PriceResolution
  onDay: (day: PriceDay) => void
  onResolution: (resolution: PriceResolution) => void
}

const slotOf = (point: PricePoint) => slotLabel(Date.parse(point.start_time), Date.parse(point.end_time))

const priceModel = ({ graph, prices, unit }: PowerCost, date: LocalDate, nowMs: number): ChartModel | null => {
  const [answer] = graph
  const [first] = prices
  if (!answer) return null
  const span = dayBounds(date)
  const slotMs = first ? Date.parse(first.end_time) - Date.parse(first.start_time) : hourMs
  return {
    series: [{ ...answer, name: 'Price', colour: 1, slotMs }],
    span,
    unit,
    decimals: 2,
    extremes: true,
    timeLabels: 'hour',
    ...(nowMs >= span.fromMs && nowMs < span.toMs ? { nowMs } : {}),
  }
}

/** Day-ahead prices of one local day, without tax. */
export const PowerCostCard = ({ priceSignal, day, resolution, onDay, onResolution }: Props) => {
  const opensDayAhead = screenRefusal(subjectOf(useUser()), 'dayahead') === null
  const now = useNow(60_000)
  const date = day === 'today' ? today(now) : addDays(today(now), 1)
  const sent = { query: { date, priceSignal, resolution } }
  const query = useCall(powerCost, { sent })
  const download = fileOf(powerCost, sent)
  const { data } = query

  const model = useMemo(() => (data ? priceModel(data, date, now) : null), [data, date, now])

  const phone = usePhone()
  const resolutions: { value: PriceResolution; label: string }[] = [
    { value: 'hour', label: t('1 h') },
    { value: 'quarter', label: t('15 min') },
  ]
  const figures = data ? priceFigures(data.prices, now) : null
  const figure = (label: string, point: PricePoint | null | undefined) => (
    <Figure label={point ? `${label} ${slotOf(point)}` : label} value={point?.price} />
  )
  const negative = data?.graph[0]?.y.some((value) => value !== null && value < 0)
  return (
    <ChartPanel
      title={t('Power cost')}
      help="powerCost"
      heading={
        opensDayAhead && (
          // The specification's address; it redirects to the prices page.
          <Link to="/demandResponse/$market" params={{ market: 'dayahead' }} className="gm-link">
            {t('Power cost')}
          </Link>
        )
      }
      note={phone ? '' : '(DKK/MWh)'}
      badge={data && <Tag>{data.area}</Tag>}
      simulated={data?.source.simulated}
      simulatedInFoot
      controls={
        <>
          {!phone && <Segments label={t('Resolution')} value={resolution} onChange={onResolution} data={resolutions} />}
          <Segments
            label={t('Day')}
            value={day}
            onChange={onDay}
            data={[
              { value: 'today', label: t('Today') },
              { value: 'tomorrow', label: t('Tomorrow') },
            ]}
          />
        </>
      }
      choices={resolutions.map(({ value, label }) => (
        <MenuItem
          key={value}
          aria-current={value === resolution || undefined}
          icon={<IconCheck visibility={value === resolution ? undefined : 'hidden'} aria-hidden />}
          onClick={() => onResolution(value)}
        >
          {label}
        </MenuItem>
      ))}
      figures={
        <>
          {day === 'today' && figure(t('Now'), figures?.now)}
          {figure(t('Lowest'), figures?.lowest)}
          {figure(t('Highest'), figures?.highest)}
          <Figure label={t('Average')} value={figures?.average} spare={day === 'today'} />
        </>
      }
      legend={[{ name: t('Price'), colour: 1 }, negative && { name: t('Negative price'), colour: 3 }]}
      height={190}
      phoneHeight={108}
      query={query}
      model={model}
      failed={t('Prices could not be loaded.')}
      empty={day === 'tomorrow' ? t('Tomorrow’s prices are not published yet') : t('No prices for this day')}
      hint={
        day === 'tomorrow'
          ? t('They are usually published around {{time}} and appear here automatically.', { time: publishedAt })
          : t('The source has not answered yet.')
      }
      reported={{ brief: phone, staleAfterMs: silentMs }}
      footRight={
        data &&
        (phone
          ? t('excl. tax')
          : [data.source.simulated ? null : data.source.name, t('tax not included')].filter(Boolean).join(' · '))
      }
      onDownload={download}
    />
  )
}
