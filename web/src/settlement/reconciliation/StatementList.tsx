import { Button } from '@mantine/core'
import {
  findStatements,
  type ReconciledStatement,
  reconciliationColumns,
} from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useSorting } from '#lib/sort-state.ts'
import { useCan } from '#lib/user.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { Row, Text } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextButton } from '#ui/TextButton.tsx'
import { signed } from './reconciliation-words.ts'

const State = ({ statement }: { statement: ReconciledStatement }) => {
  const { unsettled, changed, open } = statement
  return (
    <Row as="span" inline gap={4} align="stretch">
      {unsettled > 0 ? (
        <Tag kind="warn">{t('{{n}} to be settled', { n: unsettled })}</Tag>
      ) : (
        <Tag kind="up">{t('Reconciled')}</Tag>
      )}
      {changed > 0 && <Tag kind="warn">{t('{{n}} changed since', { n: changed })}</Tag>}
      {open > 0 && <Tag kind="outline">{t('{{n}} open', { n: open })}</Tag>}
    </Row>
  )
}

const useColumns = (onOpen: (id: string) => void): Column<ReconciledStatement>[] => [
  {
    key: 'name',
    title: t('Statement'),
    lead: true,
    cell: ({ _id, name }) => (
      <TextButton underlined onClick={() => onOpen(_id)}>
        {name}
      </TextButton>
    ),
  },
  {
    key: 'days',
    title: t('Period'),
    digits: true,
    plain: true,
    cell: ({ firstDay, lastDay }) => `${formatDate(firstDay)} – ${formatDate(lastDay)}`,
  },
  { key: 'lines', title: t('Lines'), align: 'right', cell: ({ lines }) => lines },
  {
    key: 'difference',
    title: t('Difference (€)'),
    align: 'right',
    cell: ({ differenceEur }) => signed(differenceEur),
  },
  {
    key: 'unsettled',
    title: t('To be settled (€)'),
    align: 'right',
    cell: ({ unsettledEur }) => (
      <Text as="b" weight="strong">
        {signed(unsettledEur)}
      </Text>
    ),
  },
  { key: 'state', title: t('State'), corner: true, cell: (statement) => <State statement={statement} /> },
  {
    key: 'at',
    title: t('Received'),
    digits: true,
    cell: ({ takenAt }) => formatDateTime(Date.parse(takenAt)).slice(0, 16),
  },
  { key: 'by', title: t('By'), cell: ({ takenBy }) => takenBy },
]

type Props = { page: number; onPage: (page: number) => void; onOpen: (id: string) => void; onTake: () => void }

/** Statements of the operator that were taken, the newest first. */
export const StatementList = ({ page, onPage, onOpen, onTake }: Props) => {
  const mayTake = useCan('economics.reconcile')
  const [sort, sorting] = useSorting(reconciliationColumns)
  const pageSize = usePageSize()
  const read = useCall(findStatements, {
    sent: { query: { ...sort, limit: pageSize, skip: (page - 1) * pageSize } },
    keepWhile: '',
  })
  return (
    <ListPanel
      label={t('Statements of the operator')}
      title={t('Statements of the operator')}
      tools={mayTake && <Button onClick={onTake}>{t('Import a statement')}</Button>}
      read={read}
      failed={t('The statements could not be loaded.')}
      columns={useColumns(onOpen)}
      rows={read.data?.statements ?? []}
      pageSize={pageSize}
      rowKey={({ _id }) => _id}
      warnRow={({ unsettled, changed }) => unsettled + changed > 0}
      emptyReason={
        mayTake
          ? t('Import the operator’s statement of a month: each amount stands beside the settlement here.')
          : t('No statement of the operator has been imported yet.')
      }
      sorting={sorting}
      paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
    />
  )
}
