import { type Backtest, backtestColumns, findBacktests } from '@gridmast/contract/planning/load-backtests.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/TextButton.tsx'
import { isOpen, openMs, periodWords, stateWords } from './backtest-words.ts'

type Props = { page: number; onPage: (page: number) => void; onOpen: (backtestId: string) => void }

/** All backtests that were asked for, newest first. */
export const BacktestList = ({ page, onPage, onOpen }: Props) => {
  const pageSize = usePageSize()
  const [sort, sorting] = useSorting(backtestColumns)
  const query = { ...sort, limit: pageSize, skip: (page - 1) * pageSize }
  const known = useCall(findBacktests, { sent: { query }, keepWhile: 'backtests' })
  const isRunning = known.data?.backtests.some(isOpen) ?? false
  const read = useCall(findBacktests, {
    sent: { query },
    keepWhile: 'backtests',
    ...(isRunning ? { refetchIntervalMs: openMs } : {}),
  })
  return (
    <ListPanel
      title={t('Earlier backtests')}
      label={t('Earlier backtests')}
      read={read}
      failed={t('The backtests could not be loaded.')}
      columns={columnsOf(onOpen)}
      rows={read.data?.backtests ?? []}
      pageSize={pageSize}
      rowKey={({ _id }) => _id}
      sorting={sorting}
      emptyReason={t('Backtests are listed here with their results.')}
      paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
    />
  )
}

const columnsOf = (onOpen: (backtestId: string) => void): Column<Backtest>[] => {
  const figure = (
    key: string,
    title: string,
    of: (result: NonNullable<Backtest['result']>) => string | null,
  ): Column<Backtest> => ({
    key,
    title,
    align: 'right',
    saysNothing: ({ result }) => result === null,
    cell: ({ result }) => formatNumber(result && of(result), { decimals: 2 }),
  })
  return [
    {
      key: 'target',
      title: t('What is planned'),
      lead: true,
      cell: ({ _id, target }) => <TextButton onClick={() => onOpen(_id)}>{target.name}</TextButton>,
    },
    { key: 'period', title: t('Period'), cell: (one) => periodWords(one) },
    { key: 'state', title: t('State'), corner: true, cell: (one) => stateWords(one) },
    figure('saved', t('Saved (DKK)'), ({ savedDkk }) => savedDkk),
    figure('rule', t('Against the cheapest hours (DKK)'), ({ overCheapestHoursDkk }) => overCheapestHoursDkk),
    figure('regret', t('Regret (DKK)'), ({ regretDkk }) => regretDkk),
    { key: 'madeAt', title: t('Created'), digits: true, cell: ({ madeAt }) => formatDateTime(Date.parse(madeAt)) },
    { key: 'madeBy', title: t('Created by'), cell: ({ madeBy }) => madeBy },
  ]
}
