import type { Data } from '@gridmast/contract/call.ts'
import { planSavings, savingColumns } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { downloadCall } from '#lib/download.ts'
import { useList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextButton } from '#ui/Layout.tsx'
import { savingText, shortTime } from './plan-words.ts'
import { stateWords } from './PlanTables.tsx'
import classes from './load-shifting.module.css'

type Props = { onOpen: (planId: string) => void }
type Row = Data<typeof planSavings>['savings'][number]

/** What accepted plans were worth, counted from what was measured. */
export const SavingsList = ({ onOpen }: Props) => {
  const list = useList(
    planSavings,
    { query: {} },
    {
      sortable: savingColumns,
      pageOf: ({ savings, totalCount }) => ({ rows: savings, total: totalCount }),
    },
  )
  const { by } = list.sorting
  // Of no plan nothing is known, which is not a saving of 0.
  const total = list.query.data?.total
  const counted = total && total.plans > 0 ? total : undefined
  return (
    <>
      <Panel label={t('Saved, measured')}>
        <div className={classes.figures}>
          <Figure label={t('Saved, measured')} value={counted?.savedDkk} unit="DKK" size="l" />
          <Figure label={t('CO₂ saved')} value={counted?.savedKgCo2} decimals={1} unit="kg" />
          <Figure label={t('Plans included')} value={total?.plans} decimals={0} />
        </div>
      </Panel>
      <ListPanel
        title={t('Accepted plans')}
        label={t('Accepted plans')}
        tools={
          <ExportButton
            onExport={(format) =>
              downloadCall(
                planSavings,
                {
                  query: {
                    sort: savingColumns.find((key) => key === by?.key),
                    order: by?.down ? 'desc' : undefined,
                    format,
                  },
                },
                `Savings of accepted plans.${format}`,
              )
            }
          />
        }
        {...list}
        failed={t('The savings could not be loaded.')}
        columns={columnsOf(onOpen)}
        rowKey={({ plan }) => plan._id}
        emptyReason={t('Accepted plans are listed here, with their savings when they have ended.')}
        footNote={t('Measured consumption against the baseline that was written down before the plan was accepted.')}
      />
    </>
  )
}

const columnsOf = (onOpen: (planId: string) => void): Columns<Row> => [
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
      {promisedDkk !== null && promisedOnAssumed && <small className={classes.assumed}>{t('on assumed prices')}</small>}
    </>
  )),
  column.number('saved', t('Saved, measured (DKK)'), ({ saving }) => saving?.savedDkk, { card: 'corner', decimals: 2 }),
  column.number('kg', t('Saved (kg CO₂)'), ({ saving }) => saving?.savedKgCo2, { decimals: 1 }),
  column.number('kwh', t('Measured (kWh)'), ({ saving }) => saving?.measuredKwh, { decimals: 1 }),
  column.figure('covered', t('Measured time'), ({ saving }) => (
    <>
      {saving ? `${formatNumber(saving.coverage * 100, { decimals: 0 })} %` : '–'}{' '}
      {saving?.isScaled && <Tag kind="warn">{t('Baseline scaled')}</Tag>}
    </>
  )),
]
