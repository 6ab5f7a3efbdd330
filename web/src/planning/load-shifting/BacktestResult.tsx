import {
  type BacktestDetail,
  type BacktestMonth,
  type BacktestResult as Result,
  type BacktestWay,
  getBacktest,
} from '@gridmast/contract/planning/load-backtests.ts'
import { subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { monthBounds } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { digits, sourceWords } from '#lib/format.ts'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import * as column from '#ui/columns.tsx'
import { type Column, type Columns, DataTable } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note, Row, Stack, Text } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { backtestNotices, periodWords } from './backtest-words.ts'
import { type billParts, billRows, Notices } from './PlanTables.tsx'
import classes from './load-shifting.module.css'

const sumOf = (months: readonly BacktestMonth[], way: BacktestWay, part: (typeof billParts)[number][0]): string =>
  sumDecimals(months.map(({ bills }) => bills[way][part]))

/** Savings of a backtest compared with no plan, with the cheapest hours, and with perfect foresight. */
export const BacktestResult = ({ backtest, result }: { backtest: BacktestDetail; result: Result }) => {
  const { byMonth, sources } = backtest
  const notices = backtestNotices(result)
  const isLoss = result.savedDkk.startsWith('-')
  return (
    <Stack gap="cards">
      <Panel
        title={backtest.target.name}
        help="backtest"
        note={periodWords(backtest)}
        label={t('Result')}
        badge={
          <>
            {result.assumedDays.length > 0 && <Tag kind="warn">{t('Assumed prices')}</Tag>}
            {sources?.spot.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
          </>
        }
        foot={sources && sourceWords(sources.spot)}
      >
        <Row gap="figures" rowGap={12} align="stretch">
          <Text as="div" ink={isLoss ? 'down' : 'up'}>
            <Figure label={t('Saved against no plan')} value={result.savedDkk} unit="DKK" size="l" />
            <Note size="label" className="gm-num">
              {t('{{dkk}} of {{all}} DKK', {
                dkk: digits.dkk(sumOf(byMonth, 'plan', 'total')),
                all: digits.dkk(sumOf(byMonth, 'noPlan', 'total')),
              })}
            </Note>
          </Text>
          <div>
            <Figure label={t('Saved against the cheapest hours')} value={result.overCheapestHoursDkk} unit="DKK" />
            <Note size="label" className="gm-num">
              {t('By price only, ignoring limits')}
            </Note>
          </div>
          <div>
            <Figure label={t('Regret')} value={result.regretDkk} unit="DKK" />
            <Note size="label" className="gm-num">
              {t('Against perfect foresight')}
            </Note>
          </div>
          <div>
            <Figure label={t('CO₂ saved')} value={result.savedKgCo2} decimals={1} unit="kg" />
            <Note size="label" className="gm-num">
              {result.savedKgCo2 === null ? t('Emission is partly unknown') : t('Against no plan')}
            </Note>
          </div>
          <Figure label={t('Days included')} value={result.days} decimals={0} />
          <div className={classes.actions}>
            <ExportButton onExport={fileOf(getBacktest, { params: { backtestId: backtest._id }, query: {} })} />
          </div>
        </Row>
      </Panel>
      <Notices notices={notices} />
      {byMonth.length > 1 && <MonthChart months={byMonth} />}
      <Ways scope={backtest.asked} months={byMonth} />
      <Months months={byMonth} />
    </Stack>
  )
}

const MonthChart = ({ months }: { months: readonly BacktestMonth[] }) => {
  const words = useMemo(() => ({ plan: t('Plan'), noPlan: t('No plan') }), [])
  const model = useMemo((): ChartModel => {
    const bounds = months.map(({ month }) => monthBounds(month))
    const base = { unit: 'DKK', x: bounds.map(({ fromMs }) => fromMs), ends: bounds.map(({ toMs }) => toMs) }
    // For drawing only, not for calculations.
    const y = (way: BacktestWay) => months.map(({ bills }) => Number(bills[way].total))
    return {
      series: [
        { ...base, name: words.plan, kind: 'column', colour: 1, y: y('plan') },
        { ...base, name: words.noPlan, kind: 'step', colour: 6, y: y('noPlan') },
      ],
      span: { fromMs: bounds[0]?.fromMs ?? 0, toMs: bounds.at(-1)?.toMs ?? 0 },
      unit: 'DKK',
      decimals: 0,
      fromZero: true,
    }
  }, [months, words])
  return (
    <ChartPanel
      title={t('Cost')}
      note={t('(DKK per month)')}
      legend={[
        { name: words.plan, colour: 1 },
        { name: words.noPlan, colour: 6, line: true, dashed: true },
      ]}
      height={220}
      model={model}
    />
  )
}

type WayRow = { name: string } & Record<BacktestWay, string | null>
type WaysProps = { scope: BacktestDetail['asked']; months: readonly BacktestMonth[] }

const Ways = ({ scope, months }: WaysProps) => {
  const columns: Columns<WayRow> = [
    column.text('name', t('DKK'), ({ name }) => name, { card: 'lead' }),
    column.figure('plan', t('Plan'), ({ plan }) => digits.dkk(plan), { card: 'corner' }),
    column.figure('noPlan', t('No plan'), ({ noPlan }) => digits.dkk(noPlan)),
    column.figure('cheapestHours', t('Cheapest hours'), ({ cheapestHours }) => digits.dkk(cheapestHours)),
  ]
  const sums = (way: BacktestWay) => ({
    spot: sumOf(months, way, 'spot'),
    tariff: sumOf(months, way, 'tariff'),
    tax: sumOf(months, way, 'tax'),
    capacity: sumOf(months, way, 'capacity'),
    reserve: sumOf(months, way, 'reserve'),
    stored: sumOf(months, way, 'stored'),
    total: sumOf(months, way, 'total'),
  })
  const bills = { plan: sums('plan'), noPlan: sums('noPlan'), cheapestHours: sums('cheapestHours') }
  const rows = billRows(bills, scope)
  return (
    <Panel title={t('The whole bill')} label={t('The whole bill')} bleed>
      <DataTable label={t('The whole bill')} columns={columns} rows={rows} rowKey={({ name }) => name} dense />
    </Panel>
  )
}

/** Months with the lowest possible peak. */
const Months = ({ months }: { months: readonly BacktestMonth[] }) => {
  const figure = (key: string, title: string, of: (one: BacktestMonth) => string | null): Column<BacktestMonth> =>
    column.figure(key, title, (one) => digits.dkk(of(one)))
  const columns: Columns<BacktestMonth> = [
    column.text('month', t('Month'), ({ month }) => `${month.slice(5)}.${month.slice(0, 4)}`, {
      card: 'lead',
      digits: true,
    }),
    {
      ...figure('saved', t('Saved (DKK)'), ({ bills }) => subtractDecimals(bills.noPlan.total, bills.plan.total)),
      card: 'corner',
    },
    figure('plan', t('Plan (DKK)'), ({ bills }) => bills.plan.total),
    figure('noPlan', t('No plan (DKK)'), ({ bills }) => bills.noPlan.total),
    figure('rule', t('Cheapest hours (DKK)'), ({ bills }) => bills.cheapestHours.total),
    figure('perfect', t('Perfect foresight (DKK)'), ({ foresightDkk }) => foresightDkk),
  ]
  return (
    <Panel title={t('Month by month')} label={t('Month by month')} help="backtest" bleed>
      <DataTable label={t('Month by month')} columns={columns} rows={months} rowKey={({ month }) => month} dense />
    </Panel>
  )
}
