import type { Data } from '@gridmast/contract/call.ts'
import { planSavings, savingColumns } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { downloadCall } from '#lib/download.ts'
import { usePageSize } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextButton } from '#ui/TextButton.tsx'
import { savingText, shortTime } from './plan-words.ts'
import { stateWords } from './PlanTables.tsx'
import classes from './load-shifting.module.css'

type Props = { page: number; onPage: (page: number) => void; onOpen: (planId: string) => void }
type Row = Data<typeof planSavings>['savings'][number]

/** What accepted plans were worth, counted from what was measured. */
export const SavingsList = ({ page, onPage, onOpen }: Props) => {
  const pageSize = usePageSize()
  const [sort, sorting] = useSorting(savingColumns)
  const query = { ...sort, limit: pageSize, skip: (page - 1) * pageSize }
  const read = useCall(planSavings, { sent: { query }, keepWhile: 'savings' })
  // Of no plan nothing is known, which is not a saving of 0.
  const total = read.data?.total
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
              downloadCall(planSavings, { query: { ...sort, format } }, `Savings of accepted plans.${format}`)
            }
          />
        }
        read={read}
        failed={t('The savings could not be loaded.')}
        columns={columnsOf(onOpen)}
        rows={read.data?.savings ?? []}
        pageSize={pageSize}
        rowKey={({ plan }) => plan._id}
        sorting={sorting}
        emptyReason={t('Accepted plans are listed here, with their savings when they have ended.')}
        footNote={t('Measured consumption against the baseline that was written down before the plan was accepted.')}
        paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
      />
    </>
  )
}

const columnsOf = (onOpen: (planId: string) => void): Column<Row>[] => {
  const figure = (
    key: string,
    title: string,
    of: (row: Row) => number | string | null | undefined,
    decimals = 2,
  ): Column<Row> => ({
    key,
    title,
    align: 'right',
    cell: (row) => formatNumber(of(row), { decimals }),
  })
  return [
    {
      key: 'target',
      title: t('What was planned'),
      lead: true,
      cell: ({ plan }) => <TextButton onClick={() => onOpen(plan._id)}>{plan.target.name}</TextButton>,
    },
    {
      key: 'span',
      title: t('Period'),
      digits: true,
      cell: ({ plan: { from, to } }) =>
        from && to ? `${shortTime(Date.parse(from))} – ${shortTime(Date.parse(to))}` : '–',
    },
    { key: 'state', title: t('State'), cell: ({ plan }) => stateWords(plan) },
    {
      key: 'promised',
      title: t('Planned saving (DKK)'),
      align: 'right',
      cell: ({ promisedDkk, promisedOnAssumed }) => (
        <>
          {savingText(promisedDkk, promisedOnAssumed)}
          {promisedDkk !== null && promisedOnAssumed && (
            <small className={classes.assumed}>{t('on assumed prices')}</small>
          )}
        </>
      ),
    },
    { ...figure('saved', t('Saved, measured (DKK)'), ({ saving }) => saving?.savedDkk), corner: true },
    figure('kg', t('Saved (kg CO₂)'), ({ saving }) => saving?.savedKgCo2, 1),
    figure('kwh', t('Measured (kWh)'), ({ saving }) => saving?.measuredKwh, 1),
    {
      key: 'covered',
      title: t('Measured time'),
      align: 'right',
      cell: ({ saving }) => (
        <>
          {saving ? `${formatNumber(saving.coverage * 100, { decimals: 0 })} %` : '–'}{' '}
          {saving?.isScaled && <Tag kind="warn">{t('Baseline scaled')}</Tag>}
        </>
      ),
    },
  ]
}
