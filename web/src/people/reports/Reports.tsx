import {
  changeReport,
  findReports,
  removeReport,
  type Report,
  type ReportResult,
  sendReport,
} from '@gridmast/contract/people/reports.ts'
import type { ReportInterval } from '@gridmast/contract/people/report-sources.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useRemoval } from '#lib/removal.ts'
import { useUrlState } from '#lib/url-state.ts'
import { reportsSearch } from '#people/search.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { EmailAddress } from '#ui/EmailAddress.tsx'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Lead, Page } from '#ui/Page.tsx'
import { Tag } from '#ui/Tag.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { reportTitle } from './report-titles.ts'

const AddReportDialog = lateDialog(
  async () => (await import('./ReportDialogs.tsx')).AddReportDialog,
  ({ address }) => address !== undefined,
)
const ChangeReportDialog = lateDialog(
  async () => (await import('./ReportDialogs.tsx')).ChangeReportDialog,
  ({ report }) => report !== null,
)

const intervals: Record<ReportInterval, Sentence> = {
  daily: 'Every day at {{time}}',
  weekly: 'Mondays at {{time}}',
  monthly: 'On the 1st of each month at {{time}}',
}

const results: Record<ReportResult, { words: Sentence; isGood?: true }> = {
  sent: { words: 'Sent', isGood: true },
  empty: { words: 'Sent: nothing to report', isGood: true },
  skipped: { words: 'Not sent: nothing to report', isGood: true },
  'too-large': { words: 'Sent without the file: it was too large' },
  'no-recipients': { words: 'Not sent: no confirmed recipient' },
  'owner-gone': { words: 'Not sent: its owner no longer has access' },
  'no-right': { words: 'Not sent: its owner lost the right to this list' },
  'not-available': { words: 'Not sent: the list no longer exists' },
  failed: { words: 'Not sent: it could not be created' },
}

/** A row of the table has room for one line. */
const twoLines = { paddingBlock: 6 }

const minuteOf = (at: string) => formatDateTime(Date.parse(at)).slice(0, 16)

const LastSent = ({ report: { last, waiting } }: { report: Report }) => (
  <Stack as="span" gap={2} style={twoLines}>
    {waiting && <Tag kind="outline">{t('Waiting to be sent')}</Tag>}
    {last === null ? (
      !waiting && <span>{t('Never sent')}</span>
    ) : (
      <>
        <span>{minuteOf(last.at)}</span>
        {results[last.result].isGood ? (
          <Text size="note" ink="ink2">
            {t(results[last.result].words)}
          </Text>
        ) : (
          <Row as="span" inline>
            <Tag kind="warn">{t(results[last.result].words)}</Tag>
          </Row>
        )}
      </>
    )}
  </Stack>
)

type Acts = Record<'onSend' | 'onPause' | 'onEdit' | 'onRemove', (report: Report) => void>

const useColumns = ({ onSend, onPause, onEdit, onRemove }: Acts): Columns<Report> => [
  column.cell(
    'name',
    t('Name'),
    (report) => (
      <Stack as="span" gap={2} style={twoLines}>
        <Text as="b" weight="medium">
          {report.name}
        </Text>
        <Text size="note" ink="ink2">
          {reportTitle(report.address)} · {report.format === 'pdf' ? 'PDF' : 'Excel'}
        </Text>
      </Stack>
    ),
    { card: 'lead' },
  ),
  column.cell(
    'readers',
    t('Recipients'),
    ({ readers }) => (
      <Stack as="span" gap={2} style={twoLines}>
        {readers.length === 0
          ? t('No recipients')
          : readers.map(({ email, unconfirmed }) => (
              <EmailAddress key={email} email={email} unconfirmed={unconfirmed} />
            ))}
      </Stack>
    ),
    { card: 'plain' },
  ),
  column.cell('every', t('Schedule'), ({ every, time }) => t(intervals[every], { time })),
  column.cell(
    'next',
    t('Next'),
    ({ nextAt }) => (nextAt === null ? <Tag kind="outline">{t('Paused')}</Tag> : minuteOf(nextAt)),
    { digits: true },
  ),
  column.cell('last', t('Last sent'), (report) => <LastSent report={report} />, { digits: true }),
  column.text('owner', t('Owner'), ({ owner }) => owner, { cut: 32 }),
  column.actions(
    t('Actions'),
    (report) =>
      report.editable
        ? [
            !report.waiting && {
              icon: IconSend,
              label: t('Send {{name}} now', { name: report.name }),
              onClick: () => onSend(report),
            },
            {
              icon: report.paused ? IconPlayerPlay : IconPlayerPause,
              label: t(report.paused ? 'Resume {{name}}' : 'Pause {{name}}', { name: report.name }),
              onClick: () => onPause(report),
            },
            { icon: IconPencil, label: t('Edit {{name}}', { name: report.name }), onClick: () => onEdit(report) },
            { icon: IconTrash, label: t('Delete {{name}}', { name: report.name }), onClick: () => onRemove(report) },
          ]
        : [],
    { card: 'corner' },
  ),
]

const watchEveryMs = 3000

const Reports = () => {
  const [{ add, without }, change] = useUrlState(reportsSearch)
  const read = useCall(findReports, {
    refetchIntervalMs: (data) => (data?.reports.some(({ waiting }) => waiting) ? watchEveryMs : 0),
  })
  const [editing, setEditing] = useState<Report | null>(null)
  const panel = useRef<HTMLElement>(null)
  const sending = useDo(sendReport)
  const pausing = useDo(changeReport)
  const { remove, isRemoved } = useRemoval(removeReport, {
    sent: ({ _id }: Report) => ({ params: { id: _id } }),
    onRemoved: () => panel.current?.focus(),
  })
  const columns = useColumns({
    onSend: ({ _id }) => sending.mutate({ params: { id: _id } }),
    onPause: ({ _id, paused }) => pausing.mutate({ params: { id: _id }, body: { paused: !paused } }),
    onEdit: setEditing,
    onRemove: remove,
  })
  return (
    <Page>
      <Lead>
        {t('A report covers the previous day, week or month, with the rights that its owner has when it is sent.')}
      </Lead>
      <ListPanel
        ref={panel}
        title={t('Reports')}
        query={read}
        failed={t('The reports by email could not be loaded.')}
        columns={columns}
        rows={read.data?.reports.filter((report) => !isRemoved(report))}
        rowKey={({ _id }) => _id}
        emptyReason={t('Reports are added in the export menu of a list or chart.')}
      />
      <AddReportDialog address={add} without={without} onClose={() => change({ add: undefined, without: undefined })} />
      <ChangeReportDialog report={editing} onClose={() => setEditing(null)} />
    </Page>
  )
}

export default Reports
