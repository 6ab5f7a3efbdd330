import { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { dayBounds, today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { fileOf } from '#lib/download.ts'
import { digits } from '#lib/format.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { formatMonth } from '#ui/date/typed-date.ts'
import { daysOf } from './search.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { Row, Text } from '#ui/Layout.tsx'
import classes from './revenue-card.module.css'

type Revenue = Data<typeof monthRevenue>

const rereadMs = 15 * 60_000

const revenueModel = (
  { revenueData }: Revenue,
  days: { start: string; end: string },
  { small }: { small: boolean },
): ChartModel => {
  const spans = revenueData.map(({ date }) => dayBounds(date))
  const estimated = spans.filter((_, i) => !revenueData[i]?.isOver)
  return {
    series: [
      {
        name: t('Revenue'),
        unit: '€',
        kind: 'column',
        colour: 1,
        x: spans.map(({ fromMs }) => fromMs),
        ends: spans.map(({ toMs }) => toMs),
        estimated,
        y: revenueData.map(({ revenue }) => (revenue === null ? null : Number(revenue))), // drawn, never computed with
      },
    ],
    span: { fromMs: dayBounds(days.start).fromMs, toMs: dayBounds(days.end).toMs },
    unit: '€',
    decimals: 2,
    fromZero: true,
    bare: small,
  }
}

export const RevenueCard = () => {
  const small = usePhone()
  const days = daysOf({}, today(useNow(60_000)))
  const { start, end } = days
  const read = useCall(monthRevenue, {
    sent: { query: { startDate: start, endDate: end } },
    refetchIntervalMs: rereadMs,
  })
  const { data } = read
  const model = useMemo(() => (data ? revenueModel(data, { start, end }, { small }) : null), [data, start, end, small])
  const month = formatMonth(start.slice(0, 7))
  const isSettled = data !== undefined && data.revenueData.length > 0
  return (
    <ChartPanel
      title={t('Revenue')}
      help="revenue"
      heading={
        <Link to="/eConomics" className="gm-link">
          {t('Revenue')}
        </Link>
      }
      note={small ? undefined : month}
      compact
      figures={
        <>
          <div className={classes.month}>{`€ ${digits.eur(isSettled ? data.totalRevenue : null)}`}</div>
          {data && data.expectedRevenue !== null && (
            <Row as="p" gap={6} nowrap ink="ink2" size="label" className="gm-num">
              <i className={classes.expected} aria-hidden />
              {small
                ? t('Expected {{eur}} €', { eur: digits.eur(data.expectedRevenue) })
                : t('Expected, not yet earned: {{eur}} €', { eur: digits.eur(data.expectedRevenue) })}
            </Row>
          )}
          {/* The room of the line that most months have. */}
          {read.isPending && <Text as="div" style={{ minHeight: 16 }} aria-hidden />}
        </>
      }
      height={small ? 44 : 150}
      query={read}
      model={model}
      failed={t('The revenue could not be loaded.')}
      empty={t('No settlements in {{month}}', { month })}
      hint={!small && t('Bids are settled the night after their day.')}
      onDownload={fileOf(monthRevenue, { query: { startDate: start, endDate: end } })}
      foot={
        small
          ? month // half a phone is too narrow for it next to the title
          : data && data.unpublished > 0 && t('Days with results not published yet: {{n}}', { n: data.unpublished })
      }
    />
  )
}
