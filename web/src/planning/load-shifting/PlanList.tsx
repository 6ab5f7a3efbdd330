import { findPlans, planColumns, type PlanHead } from '@gridmast/contract/planning/load-shifting.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/TextButton.tsx'
import { savingText, shortTime } from './plan-words.ts'
import { stateWords } from './PlanTables.tsx'
import { followedMs, waitingMs } from './plan-model.ts'
import classes from './load-shifting.module.css'

type Props = { page: number; onPage: (page: number) => void; onOpen: (planId: string) => void }

/** All plans that were made, newest first. */
export const PlanList = ({ page, onPage, onOpen }: Props) => {
  const pageSize = usePageSize()
  const [sort, sorting] = useSorting(planColumns)
  const query = { ...sort, limit: pageSize, skip: (page - 1) * pageSize }
  const isOpen = ({ state }: PlanHead) => state === 'queued' || state === 'running'
  const known = useCall(findPlans, { sent: { query }, keepWhile: 'plans' })
  const read = useCall(findPlans, {
    sent: { query },
    keepWhile: 'plans',
    refetchIntervalMs: known.data?.plans.some(isOpen) ? waitingMs : followedMs,
  })
  return (
    <ListPanel
      title={t('Plans')}
      label={t('Plans')}
      read={read}
      failed={t('The plans could not be loaded.')}
      columns={columnsOf(onOpen)}
      rows={read.data?.plans ?? []}
      pageSize={pageSize}
      rowKey={({ _id }) => _id}
      sorting={sorting}
      emptyReason={t('Calculated plans are listed here.')}
      paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
    />
  )
}

const columnsOf = (onOpen: (planId: string) => void): Column<PlanHead>[] => [
  {
    key: 'target',
    title: t('What is planned'),
    lead: true,
    cell: ({ _id, target }) => <TextButton onClick={() => onOpen(_id)}>{target.name}</TextButton>,
  },
  {
    key: 'span',
    title: t('Period'),
    digits: true,
    cell: ({ from, to }) => (from && to ? `${shortTime(Date.parse(from))} – ${shortTime(Date.parse(to))}` : '–'),
  },
  { key: 'state', title: t('State'), corner: true, cell: (plan) => stateWords(plan) },
  {
    key: 'saved',
    title: t('Planned saving (DKK)'),
    align: 'right',
    cell: ({ savedDkk, hasAssumedPrices }) => (
      <>
        {savingText(savedDkk, hasAssumedPrices)}
        {savedDkk !== null && hasAssumedPrices && <small className={classes.assumed}>{t('on assumed prices')}</small>}
      </>
    ),
  },
  { key: 'madeAt', title: t('Created'), digits: true, cell: ({ madeAt }) => formatDateTime(Date.parse(madeAt)) },
  { key: 'madeBy', title: t('Created by'), cell: ({ madeBy }) => madeBy },
]
