import { Row, TextButton, Under } from '#ui/Layout.tsx'
import { findPlans, type PlanHead, planSavings, savingColumns } from '@gridmast/contract/planning/load-shifting.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns, Column } from '#ui/DataTable.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { savingText, shortTime } from './plan-words.ts'
import { stateWords } from './PlanTables.tsx'
import { followedMs, waitingMs } from './plan-model.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { fileOf } from '#lib/download.ts'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { type Backtest, findBacktests } from '@gridmast/contract/planning/load-backtests.ts'
import { isOpen, openMs, periodWords, backtestStateWords } from './backtest-words.ts'

type ListProps = { onOpen: (planId: string) => void }

export const PlanList = ({ onOpen }: ListProps) => {
  const isOpen = ({ state }: PlanHead) => state === 'queued' || state === 'running'
  const list = useSavedList(
    findPlans,
    { query: {} },
    {
      rows: ({ plans }) => plans,
      refetchIntervalMs: (data) => (data?.plans.some(isOpen) ? waitingMs : followedMs),
      views: { list: 'load-plans' },
    },
  )
  return (
    <SavedList
      title={t('Plans')}
      {...list}
      failed={t('The plans could not be loaded.')}
      columns={planListColumns(onOpen)}
      onOpen={({ _id }) => onOpen(_id)}
      rowKey={({ _id }) => _id}
      emptyReason={t('Calculated plans are listed here.')}
    />
  )
}

const planListColumns = (onOpen: (planId: string) => void): Columns<PlanHead> => [
  column.cell(
    'target',
    t('What is planned'),
    ({ _id, target }) => <TextButton onClick={() => onOpen(_id)}>{target.name}</TextButton>,
    { card: 'lead' },
  ),
  column.text(
    'span',
    t('Period'),
    ({ from, to }) => (from && to ? `${shortTime(Date.parse(from))} – ${shortTime(Date.parse(to))}` : '–'),
    { digits: true },
  ),
  column.text('state', t('State'), (plan) => stateWords(plan), { card: 'corner' }),
  column.figure('saved', t('Planned saving (DKK)'), ({ savedDkk, hasAssumedPrices }) => (
    <>
      {savingText(savedDkk, hasAssumedPrices)}
      {savedDkk !== null && hasAssumedPrices && (
        <Under style={{ fontSize: 11.5, lineHeight: '14px' }}>{t('on assumed prices')}</Under>
      )}
    </>
  )),
  column.time('madeAt', t('Created'), ({ madeAt }) => madeAt),
  column.text('madeBy', t('Created by'), ({ madeBy }) => madeBy),
]

type SavingRow = Data<typeof planSavings>['savings'][number]

/** Savings of accepted plans, calculated from measurements. */
export const SavingsList = ({ onOpen }: ListProps) => {
  const list = useSavedList(
    planSavings,
    { query: {} },
    { rows: ({ savings }) => savings, views: { list: 'load-savings' } },
  )
  const { by } = list.sorting
  // Without a plan the saving is unknown, not 0.
  const total = list.query.data?.total
  const counted = total && total.plans > 0 ? total : undefined
  return (
    <>
      <Panel label={t('Saved, measured')}>
        <Row gap="figures" rowGap={12} align="stretch">
          <Figure label={t('Saved, measured')} value={counted?.savedDkk} unit="DKK" size="l" />
          <Figure label={t('CO₂ saved')} value={counted?.savedKgCo2} decimals={1} unit="kg" />
          <Figure label={t('Plans included')} value={total?.plans} decimals={0} />
        </Row>
      </Panel>
      <SavedList
        title={t('Accepted plans')}
        help="savings"
        tools={
          <ExportButton
            onExport={fileOf(planSavings, {
              query: {
                sort: savingColumns.find((key) => key === by?.key),
                order: by?.down ? 'desc' : undefined,
              },
            })}
          />
        }
        {...list}
        failed={t('The savings could not be loaded.')}
        columns={savingListColumns(onOpen)}
        onOpen={({ plan }) => onOpen(plan._id)}
        rowKey={({ plan }) => plan._id}
        emptyReason={t('Accepted plans are listed here, with their savings when they have ended.')}
        footNote={t('Measured consumption compared with the baseline stored before the plan was accepted.')}
      />
    </>
  )
}

const savingListColumns = (onOpen: (planId: string) => void): Columns<SavingRow> => [
  column.cell(
    'target',
    t('What was planned'),
    ({ plan }) => <TextButton onClick={() => onOpen(plan._id)}>{plan.target.name}</TextButton>,
    { card: 'lead' },
  ),
  column.text(
    'span',
    t('Period'),
    ({ plan: { from, to } }) => (from && to ? `${shortTime(Date.parse(from))} – ${shortTime(Date.parse(to))}` : '–'),
    { digits: true },
  ),
  column.text('state', t('State'), ({ plan }) => stateWords(plan)),
  column.figure('promised', t('Planned saving (DKK)'), ({ promisedDkk, promisedOnAssumed }) => (
    <>
      {savingText(promisedDkk, promisedOnAssumed)}
      {promisedDkk !== null && promisedOnAssumed && (
        <Under style={{ fontSize: 11.5, lineHeight: '14px' }}>{t('on assumed prices')}</Under>
      )}
    </>
  )),
  column.number('saved', t('Saved, measured (DKK)'), ({ saving }) => saving?.savedDkk, { card: 'corner', decimals: 2 }),
  column.number('kg', t('Saved (kg CO₂)'), ({ saving }) => saving?.savedKgCo2, { decimals: 1 }),
  column.number('kwh', t('Measured (kWh)'), ({ saving }) => saving?.measuredKwh, { decimals: 1 }),
  column.figure('covered', t('Measured time'), ({ saving }) => (
    <>
      {saving ? format.wholePercent(saving.coverage * 100) : '–'}{' '}
      {saving?.isScaled && <Tag kind="warn">{t('Baseline scaled')}</Tag>}
    </>
  )),
]

export const BacktestList = ({ onOpen }: ListProps) => {
  const list = useSavedList(
    findBacktests,
    { query: {} },
    {
      rows: ({ backtests }) => backtests,
      refetchIntervalMs: (data) => (data?.backtests.some(isOpen) ? openMs : 0),
      views: { list: 'load-backtests' },
    },
  )
  return (
    <SavedList
      title={t('Earlier backtests')}
      {...list}
      failed={t('The backtests could not be loaded.')}
      columns={backtestListColumns(onOpen)}
      onOpen={({ _id }) => onOpen(_id)}
      rowKey={({ _id }) => _id}
      emptyReason={t('Backtests are listed here with their results.')}
    />
  )
}

const backtestListColumns = (onOpen: (backtestId: string) => void): Columns<Backtest> => {
  const figure = (
    key: string,
    title: string,
    of: (result: NonNullable<Backtest['result']>) => string | null,
  ): Column<Backtest> =>
    column.number(key, title, ({ result }) => result && of(result), {
      omitWhen: ({ result }) => result === null,
      decimals: 2,
    })
  return [
    column.cell(
      'target',
      t('What is planned'),
      ({ _id, target }) => <TextButton onClick={() => onOpen(_id)}>{target.name}</TextButton>,
      { card: 'lead' },
    ),
    column.text('period', t('Period'), (one) => periodWords(one)),
    column.text('state', t('State'), (one) => backtestStateWords(one), { card: 'corner' }),
    figure('saved', t('Saved (DKK)'), ({ savedDkk }) => savedDkk),
    figure('rule', t('Against the cheapest hours (DKK)'), ({ overCheapestHoursDkk }) => overCheapestHoursDkk),
    figure('regret', t('Regret (DKK)'), ({ regretDkk }) => regretDkk),
    column.time('madeAt', t('Created'), ({ madeAt }) => madeAt),
    column.text('madeBy', t('Created by'), ({ madeBy }) => madeBy),
  ]
}
