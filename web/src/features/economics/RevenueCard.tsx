import { monthRevenue } from '@gridmast/contract/month-revenue.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { dayBounds, today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { type TFunction, useTranslation } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { subjectOf, useUser } from '#lib/user.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { useReading } from '#ui/Chart/reading.ts'
import { formatMonth } from '#ui/date/typed-date.ts'
import { daysOf, money } from './money.ts'
import type { Data } from '@gridmast/contract/call.ts'
import classes from './revenue-card.module.css'

type Revenue = Data<typeof monthRevenue>

const rereadMs = 15 * 60_000

/** A column for each day of the month that has settlements. */
const revenueModel = ({ revenueData }: Revenue, days: { start: string; end: string }, t: TFunction): ChartModel => {
  const spans = revenueData.map(({ date }) => dayBounds(date))
  return {
    series: [
      {
        name: t('Revenue'),
        unit: '€',
        kind: 'column',
        colour: 1,
        x: spans.map(({ fromMs }) => fromMs),
        ends: spans.map(({ toMs }) => toMs),
        y: revenueData.map(({ revenue }) => (revenue === null ? null : Number(revenue))), // drawn, never computed with
      },
    ],
    span: { fromMs: dayBounds(days.start).fromMs, toMs: dayBounds(days.end).toMs },
    unit: '€',
    decimals: 2,
    fromZero: true,
  }
}

/** What the company earned in the running month, day by day. */
export const RevenueCard = () => {
  const { t } = useTranslation()
  const opens = screenRefusal(subjectOf(useUser()), 'eConomics') === null
  const days = daysOf({}, today(useNow(60_000)))
  const { start, end } = days
  const read = useCall(monthRevenue, {
    sent: { query: { startDate: start, endDate: end } },
    refetchIntervalMs: rereadMs,
  })
  const { data } = read
  const model = useMemo(() => (data ? revenueModel(data, { start, end }, t) : null), [data, start, end, t])
  const isKnown = data?.revenueData.some(({ revenue }) => revenue !== null)
  return (
    <ChartPanel
      title={t('Revenue')}
      heading={
        opens && (
          <Link to="/eConomics" className="gm-link">
            {t('Revenue')}
          </Link>
        )
      }
      note={formatMonth(start.slice(0, 7))}
      simulated={data?.simulated}
      compact
      figures={<div className={classes.month}>{`€ ${money(isKnown ? (data?.totalRevenue ?? null) : null)}`}</div>}
      height={150}
      model={model}
      reading={useReading(read)}
      failed={t('The revenue could not be loaded.')}
      empty={
        <>
          <b>{t('No settlements yet')}</b>
          <span className={classes.firstSettlement}>{t('Revenue appears here after your first settlement.')}</span>
        </>
      }
      foot={data && data.unpublished > 0 && t('Days with results not published yet: {{n}}', { n: data.unpublished })}
    />
  )
}
