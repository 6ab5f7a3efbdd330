import { useState } from 'react'
import { anotherList, type UrlProps } from '#lib/url-state.ts'
import type { EconomicsSearch, economicsSearch } from '#settlement/economics/search.ts'
import { ReconciliationCard } from './ReconciliationCard.tsx'
import { ImportStatementDialog } from './ImportStatement.tsx'
import { Button } from '@mantine/core'
import { findStatements, type ReconciledStatement } from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import { useCan } from '#lib/user.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Row, Text, TextButton } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Tag } from '#ui/Tag.tsx'
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

const useColumns = (onOpen: (id: string) => void): Columns<ReconciledStatement> => [
  column.cell(
    'name',
    t('Statement'),
    ({ _id, name }) => (
      <TextButton underlined onClick={() => onOpen(_id)}>
        {name}
      </TextButton>
    ),
    { card: 'lead', wraps: true },
  ),
  column.text('days', t('Period'), ({ firstDay, lastDay }) => `${formatDate(firstDay)}\u00a0– ${formatDate(lastDay)}`, {
    card: 'plain',
    digits: true,
  }),
  column.number('lines', t('Lines'), ({ lines }) => lines),
  column.figure('difference', t('Difference (€)'), ({ differenceEur }) => signed(differenceEur)),
  column.figure('unsettled', t('To be settled (€)'), ({ unsettledEur }) => (
    <Text as="b" weight="strong">
      {signed(unsettledEur)}
    </Text>
  )),
  column.cell('state', t('State'), (statement) => <State statement={statement} />, { card: 'corner' }),
  column.minute('at', t('Received'), ({ takenAt }) => takenAt),
  column.text('by', t('By'), ({ takenBy }) => takenBy),
]

type Props = { onOpen: (id: string) => void; onImport: () => void }

const StatementList = ({ onOpen, onImport }: Props) => {
  const mayImport = useCan('economics.reconcile')
  const list = useSavedList(
    findStatements,
    { query: {} },
    { rows: ({ statements }) => statements, views: { list: 'operator-statements' } },
  )
  return (
    <SavedList
      title={t('Statements of the operator')}
      tools={mayImport && <Button onClick={onImport}>{t('Import a statement')}</Button>}
      {...list}
      failed={t('The statements could not be loaded.')}
      columns={useColumns(onOpen)}
      onOpen={({ _id }) => onOpen(_id)}
      rowKey={({ _id }) => _id}
      warnRow={({ unsettled, changed }) => unsettled + changed > 0}
      emptyReason={
        mayImport
          ? t('Import the operator’s statement of a month to compare each amount with its settlement.')
          : t('No statement of the operator has been imported yet.')
      }
    />
  )
}

const noFilter: Partial<EconomicsSearch> = {
  statement: undefined,
  show: undefined,
  cause: undefined,
  instanceId: undefined,
  ...anotherList,
}

export const ReconciliationTab = ({ search, onSearch }: UrlProps<typeof economicsSearch>) => {
  const [isImporting, setImporting] = useState(false)
  const { statement, show = 'unsettled', cause, instanceId } = search
  const open = (id: string | undefined) => onSearch({ ...noFilter, statement: id })
  return (
    <>
      {statement ? (
        <ReconciliationCard
          id={statement}
          filter={{ show, cause, instanceId }}
          onFilter={(part) =>
            onSearch({
              ...part,
              ...('show' in part ? { show: part.show === 'unsettled' ? undefined : part.show } : {}),
              page: undefined,
            })
          }
          onClose={() => open(undefined)}
        />
      ) : (
        <StatementList onOpen={open} onImport={() => setImporting(true)} />
      )}
      <ImportStatementDialog
        opened={isImporting}
        onClose={() => setImporting(false)}
        onImported={(id) => {
          setImporting(false)
          open(id)
        }}
      />
    </>
  )
}
