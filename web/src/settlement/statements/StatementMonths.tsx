import { Button } from '@mantine/core'
import { findStatementMonths, monthlyStatement, type StatementMonth } from '@gridmast/contract/settlement/statements.ts'
import { formatDateTime, monthBounds } from '@gridmast/contract/time.ts'
import { IconFileTypePdf } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { downloadCall } from '#lib/download.ts'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { currentLanguage, t } from '#lib/i18n.ts'
import { useLoadedList } from '#lib/list.ts'
import { useCall } from '#lib/query.ts'
import { BelowList } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, Hint } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Row, Text } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Tag } from '#ui/Tag.tsx'
import { MenuItem } from '#ui/Menu.tsx'

/** `2026-10` as `10.2026`. */
export const monthWords = (month: string): string => `${month.slice(5)}.${month.slice(0, 4)}`

const State = ({ row }: { row: StatementMonth }) => {
  const { month, unsettledDays, unpublished, unshared, corrected, sent, version } = row
  const isRunning = monthBounds(month).toMs > useNow(60_000)
  return (
    <Row as="span" inline gap={4}>
      {isRunning && <Tag kind="outline">{t('Month not over')}</Tag>}
      {!isRunning && unsettledDays === 0 && unpublished === 0 && <Tag>{t('All results published')}</Tag>}
      {unsettledDays > 0 && <Tag kind="warn">{t('{{count}} days are not settled yet', { count: unsettledDays })}</Tag>}
      {unpublished > 0 && <Tag kind="warn">{t('Without results: {{n}}', { n: unpublished })}</Tag>}
      {unshared > 0 && <Tag kind="warn">{t('Without a contract: {{n}}', { n: unshared })}</Tag>}
      {sent && sent.changedSince > 0 && (
        <Hint words={t('Settlements calculated or corrected after the statement was sent.')}>
          <Tag kind="warn">{t('Revised since: {{n}}', { n: sent.changedSince })}</Tag>
        </Hint>
      )}
      {version !== null && version > 1 && <Tag kind="outline">{t('version {{n}}', { n: version })}</Tag>}
      {corrected > 0 && <Tag kind="outline">{t('Corrected: {{n}}', { n: corrected })}</Tag>}
    </Row>
  )
}

const Download = ({ month }: { month: string }) => {
  const language = currentLanguage()
  const [busy, setBusy] = useState(false)
  const download = (format: 'pdf' | 'xlsx' | 'csv') =>
    downloadCall(monthlyStatement, { params: { month }, query: { format, language } })
  return (
    <Row as="span" inline gap={4}>
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        leftSection={<IconFileTypePdf size={14} stroke={1.8} aria-hidden />}
        aria-label={t('Download the statement of {{month}} as PDF', { month: monthWords(month) })}
        onClick={() => {
          setBusy(true)
          void download('pdf').finally(() => setBusy(false))
        }}
      >
        PDF
      </Button>
      <ExportButton small label={t('Settlements of {{month}}', { month: monthWords(month) })} onExport={download}>
        <MenuItem onClick={() => void download('pdf')}>{t('Download PDF')}</MenuItem>
      </ExportButton>
    </Row>
  )
}

const useColumns = (): Columns<StatementMonth> => [
  column.text('month', t('Month'), ({ month }) => monthWords(month), {
    card: 'lead',
    digits: true,
    sort: ({ month }) => month,
  }),
  column.figure(
    'customer',
    t('Customer revenue (€)'),
    ({ customerEur, expectedEur }) => (
      <>
        <Text as="b" weight="strong">
          {digits.eur(customerEur)}
        </Text>
        {expectedEur !== null && (
          <Text as="div" ink="ink3" size="label">
            {t('Expected {{eur}} €', { eur: digits.eur(expectedEur) })}
          </Text>
        )}
      </>
    ),
    { card: 'corner', sort: ({ customerEur }) => Number(customerEur ?? -Infinity) },
  ),
  column.number('settlements', t('Settlements'), ({ settlements }) => settlements, { sort: true }),
  column.cell('state', t('State'), (row) => <State row={row} />, {
    sort: ({ unsettledDays, unpublished, unshared }) => unsettledDays + unpublished + unshared,
  }),
  column.text(
    'sent',
    t('Mailed'),
    ({ sent }) =>
      sent === null
        ? t('No')
        : t('{{at}}, to {{n}}', { at: formatDateTime(Date.parse(sent.at)).slice(0, 16), n: sent.readers }),
    { digits: true, sort: ({ sent }) => sent?.at ?? '' },
  ),
  column.figure('file', t('Statement'), ({ month }) => <Download month={month} />, { card: 'actions' }),
]

export const StatementMonths = ({ below }: { below?: ReactNode }) => {
  const read = useCall(findStatementMonths, {})
  const list = useLoadedList(useColumns(), { list: 'monthly-statements' })
  return (
    <>
      <SavedList
        {...list}
        title={t('Monthly statements')}
        help="statements"
        query={read}
        failed={t('The statements could not be loaded.')}
        rows={read.data?.months ?? []}
        rowKey={({ month }) => month}
        pageSize={12}
        emptyReason={t('A month has a statement once one of its days is settled.')}
      />
      <BelowList isPending={read.isPending}>{below}</BelowList>
    </>
  )
}
