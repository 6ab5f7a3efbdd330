import { findPlans, planColumns, type PlanHead } from '@gridmast/contract/planning/load-shifting.ts'
import { t } from '#lib/i18n.ts'
import { useList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { TextButton } from '#ui/Layout.tsx'
import { savingText, shortTime } from './plan-words.ts'
import { stateWords } from './PlanTables.tsx'
import { followedMs, waitingMs } from './plan-model.ts'
import classes from './load-shifting.module.css'

type Props = { onOpen: (planId: string) => void }

/** All plans that were made, newest first. */
export const PlanList = ({ onOpen }: Props) => {
  const isOpen = ({ state }: PlanHead) => state === 'queued' || state === 'running'
  const list = useList(
    findPlans,
    { query: {} },
    {
      sortable: planColumns,
      pageOf: ({ plans, totalCount }) => ({ rows: plans, total: totalCount }),
      refetchIntervalMs: (data) => (data?.plans.some(isOpen) ? waitingMs : followedMs),
    },
  )
  return (
    <ListPanel
      title={t('Plans')}
      label={t('Plans')}
      {...list}
      failed={t('The plans could not be loaded.')}
      columns={columnsOf(onOpen)}
      rowKey={({ _id }) => _id}
      emptyReason={t('Calculated plans are listed here.')}
    />
  )
}

const columnsOf = (onOpen: (planId: string) => void): Columns<PlanHead> => [
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
      {savedDkk !== null && hasAssumedPrices && <small className={classes.assumed}>{t('on assumed prices')}</small>}
    </>
  )),
  column.time('madeAt', t('Created'), ({ madeAt }) => madeAt),
  column.text('madeBy', t('Created by'), ({ madeBy }) => madeBy),
]
