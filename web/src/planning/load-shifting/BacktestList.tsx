import { type Backtest, backtestColumns, findBacktests } from '@gridmast/contract/planning/load-backtests.ts'
import { t } from '#lib/i18n.ts'
import { useList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Column, Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/Layout.tsx'
import { isOpen, openMs, periodWords, stateWords } from './backtest-words.ts'

type Props = { onOpen: (backtestId: string) => void }

/** All backtests that were asked for, newest first. */
export const BacktestList = ({ onOpen }: Props) => {
  const list = useList(
    findBacktests,
    { query: {} },
    {
      sortable: backtestColumns,
      pageOf: ({ backtests, totalCount }) => ({ rows: backtests, total: totalCount }),
      refetchIntervalMs: (data) => (data?.backtests.some(isOpen) ? openMs : 0),
    },
  )
  return (
    <ListPanel
      title={t('Earlier backtests')}
      label={t('Earlier backtests')}
      {...list}
      failed={t('The backtests could not be loaded.')}
      columns={columnsOf(onOpen)}
      rowKey={({ _id }) => _id}
      emptyReason={t('Backtests are listed here with their results.')}
    />
  )
}

const columnsOf = (onOpen: (backtestId: string) => void): Columns<Backtest> => {
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
    column.text('state', t('State'), (one) => stateWords(one), { card: 'corner' }),
    figure('saved', t('Saved (DKK)'), ({ savedDkk }) => savedDkk),
    figure('rule', t('Against the cheapest hours (DKK)'), ({ overCheapestHoursDkk }) => overCheapestHoursDkk),
    figure('regret', t('Regret (DKK)'), ({ regretDkk }) => regretDkk),
    column.time('madeAt', t('Created'), ({ madeAt }) => madeAt),
    column.text('madeBy', t('Created by'), ({ madeBy }) => madeBy),
  ]
}
