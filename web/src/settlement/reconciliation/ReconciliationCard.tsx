import type { BulkResult } from '@gridmast/contract/bulk.ts'
import { type Cause, type ShownLines, shownLines } from '@gridmast/contract/choices.ts'
import { Button, Skeleton, Textarea } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import {
  getReconciliation,
  type ReconciledLine,
  removeReconciliation,
  reopenDifference,
  settleDifferences,
  settleLines,
} from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useSavedList } from '#lib/list.ts'
import { useDo } from '#lib/query.ts'
import { useCan } from '#lib/user.tsx'
import * as column from '#ui/columns.tsx'
import type { Column, Columns } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { lineFilters } from '#settlement/economics/search.ts'
import { Causes, useLineColumns } from './line-columns.tsx'
import { signed, shownWords, causesOf, causeWords, periodWords } from './reconciliation-words.ts'
import { Note, Row, Text } from '#ui/Layout.tsx'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { Select } from '#ui/Select.tsx'

type Settling = {
  line: ReconciledLine | null
  cause?: Cause | undefined
  instanceId?: string | undefined
  count: number
}

type SettleProps = { id: string; settling: Settling | null; onClose: () => void }

const SettleDialog = ({ id, settling, onClose }: SettleProps) => {
  const { line = null, cause, instanceId, count = 0 } = settling ?? {}
  return (
    <CallFormDialog
      title={count > 1 ? t('Settle {{count}} differences', { count }) : t('Settle a difference')}
      submit={t('Mark as settled')}
      size={520}
      gap={0}
      call={settleDifferences}
      initial={settling && { note: '' }}
      toBody={({ note }) => ({
        note,
        count,
        ...(line ? { lineId: line._id } : { ...(cause ? { cause } : {}), ...(instanceId ? { instanceId } : {}) }),
      })}
      request={{ params: { id } }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {line && (
            <Note size="note" below={8}>
              {`${periodWords(line)} · ${line.instance} · ${line.type} · ${signed(line.differenceEur)} €`}
              {causesOf(line.parts).map((one) => ` · ${t(causeWords[one])} ${signed(line.parts?.[one] ?? null)}`)}
            </Note>
          )}
          <Textarea
            label={t('Note')}
            description={t('Why the difference is accepted, and with whom it was agreed. Saved with your name.')}
            data-autofocus
            {...field('note')}
          />
        </>
      )}
    </CallFormDialog>
  )
}

type LinesProps = { id: string; lines: readonly ReconciledLine[]; onDone: (result: BulkResult) => void }

const SettleLines = ({ id, lines, onDone }: LinesProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {t('Mark as settled')}
      </Button>
      <CallFormDialog
        title={t('Settle {{count}} differences', { count: lines.length })}
        submit={t('Mark as settled')}
        size={520}
        call={settleLines}
        initial={isOpen ? { note: '' } : null}
        toBody={({ note }) => ({ note, ids: lines.map(({ _id }) => _id) })}
        request={{ params: { id } }}
        onDone={onDone}
        onClose={() => setOpen(false)}
      >
        {({ field }) => (
          <Textarea
            label={t('Note')}
            description={t('Why the differences are accepted, and with whom it was agreed. Saved with your name.')}
            data-autofocus
            {...field('note')}
          />
        )}
      </CallFormDialog>
    </>
  )
}

const Settled = ({ line: { settled, differenceEur } }: { line: ReconciledLine }) => {
  if (!settled) return null
  return (
    <Row as="span" inline gap={8} rowGap={2}>
      {settled.isChanged && (
        <Tag kind="warn">
          {t('Changed from {{before}} to {{now}} since', {
            before: signed(settled.differenceEur),
            now: signed(differenceEur),
          })}
        </Tag>
      )}
      <span>{settled.note}</span>
      <Text
        as="small"
        ink="ink3"
        size="small"
        className="gm-num"
      >{`${settled.by}, ${formatDateTime(Date.parse(settled.at)).slice(0, 16)}`}</Text>
    </Row>
  )
}

type Actions = {
  onSettle: (line: ReconciledLine) => void
  onReopen: (line: ReconciledLine) => void
  isReopening: (lineId: string) => boolean
}

const Action = ({ line, actions: { onSettle, onReopen, isReopening } }: { line: ReconciledLine; actions: Actions }) => {
  if (line.settled)
    return (
      <Button size="compact-sm" variant="default" loading={isReopening(line._id)} onClick={() => onReopen(line)}>
        {t('Reopen')}
      </Button>
    )
  return ['agrees', 'open'].includes(line.kind) ? null : (
    <Button size="compact-sm" variant="default" onClick={() => onSettle(line)}>
      {t('Settle')}
    </Button>
  )
}

const useColumns = ({ withSettled, actions }: { withSettled: boolean; actions?: Actions }): Columns<ReconciledLine> => {
  const columns = useLineColumns<ReconciledLine>()
  const settled: Column<ReconciledLine> = column.cell(
    'settled',
    t('Marked as settled'),
    (line) => <Settled line={line} />,
    { omitWhen: (line) => line.settled === null },
  )
  return [
    ...columns,
    ...(withSettled ? [settled] : []),
    ...(actions
      ? [
          column.figure('action', t('Actions'), (line: ReconciledLine) => <Action line={line} actions={actions} />, {
            card: 'actions',
          }),
        ]
      : []),
  ]
}

type Filter = { show: ShownLines; cause?: Cause | undefined; instanceId?: string | undefined }
type Props = {
  id: string
  filter: Filter
  onFilter: (part: Partial<Filter>) => void
  onClose: () => void
}

export const ReconciliationCard = ({ id, filter, onFilter, onClose }: Props) => {
  const { show, cause, instanceId } = filter
  const mayEdit = useCan('economics.reconcile')
  const query = { show, ...(cause ? { cause } : {}), ...(instanceId ? { instanceId } : {}) }
  const list = useSavedList(
    getReconciliation,
    { params: { id }, query },
    {
      rows: ({ lines }) => lines,
      limit: limits.economicsPageSize,
      views: { list: 'statement-lines', filters: lineFilters },
    },
  )
  const { query: read } = list
  const reopening = useDo(reopenDifference)
  const [settling, setSettling] = useState<Settling | null>(null)
  const { data } = read
  const columns = useColumns({
    withSettled: show === 'settled' || show === 'changed' || show === 'all',
    ...(mayEdit
      ? {
          actions: {
            onSettle: (line) => setSettling({ line, count: 1 }),
            onReopen: ({ _id }) => reopening.mutate({ params: { id }, body: { lineId: _id } }),
            isReopening: (lineId) => reopening.pending.some(({ body }) => body.lineId === lineId),
          },
        }
      : {}),
  })
  const instanceChoices = [
    { value: '', label: t('All') },
    ...(data?.instances ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  return (
    <>
      <Panel
        label={t('Statement')}
        help="reconciliation"
        title={data?.statement.name ?? t('Statement')}
        note={data && `${formatDate(data.statement.firstDay)} – ${formatDate(data.statement.lastDay)}`}
        badge={
          data &&
          data.statement.leftOut > 0 && (
            <Tag kind="outline">{t('Skipped rows: {{n}}', { n: data.statement.leftOut })}</Tag>
          )
        }
        tools={
          <>
            {mayEdit && <Remove id={id} onRemoved={onClose} />}
            <Button variant="default" onClick={onClose}>
              {t('All statements')}
            </Button>
          </>
        }
      >
        {read.isPending && <Skeleton height={39} mb={12} width={600} maw="100%" animate={false} />}
        {data && <Causes sums={data.sums} chosen={cause} onChoose={(next) => onFilter({ cause: next })} />}
        <Note size="note" below={8}>
          {t('Sums of the lines below. Each difference is split into parts in this order; the parts add up to it.')}
        </Note>
      </Panel>
      <SavedList
        title={t('Lines of the statement')}
        {...list}
        failed={t('The statement could not be loaded.')}
        filters={
          <>
            <Select
              label={t('Show')}
              w={200}
              allowDeselect={false}
              data={shownLines.map((one) => ({ value: one, label: t(shownWords[one]) }))}
              value={show}
              onChange={(next) => next && onFilter({ show: next })}
            />
            <Select
              label={t('Instance')}
              w={190}
              allowDeselect={false}
              searchable
              data={instanceChoices}
              value={instanceId ?? ''}
              onChange={(next) => onFilter({ instanceId: next || undefined })}
            />
            <div data-end>
              {mayEdit && show === 'unsettled' && data && data.totalCount > 1 && (
                <Button
                  variant="default"
                  onClick={() => setSettling({ line: null, cause, instanceId, count: data.totalCount })}
                >
                  {t('Settle all {{n}}', { n: data.totalCount })}
                </Button>
              )}
              <ExportButton {...list.file} />
            </div>
          </>
        }
        columns={columns}
        bulk={
          mayEdit && {
            name: (line) => `${periodWords(line)} ${line.instance}`,
            can: ({ settled, kind }) => settled === null && !['agrees', 'open'].includes(kind),
            renderActs: (lines, onDone) => <SettleLines id={id} lines={lines} onDone={onDone} />,
          }
        }
        rowKey={({ _id }) => _id}
        warnRow={({ settled }) => settled?.isChanged === true}
        emptyReason={show === 'unsettled' ? t('Every difference is settled.') : t('No line matches the filter.')}
      />
      <SettleDialog id={id} settling={settling} onClose={() => setSettling(null)} />
    </>
  )
}

const Remove = ({ id, onRemoved }: { id: string; onRemoved: () => void }) => {
  const [remove, removeDialog] = useConfirm({
    call: removeReconciliation,
    sent: () => ({ params: { id } }),
    title: t('Remove this statement?'),
    text: t('The comparison and its notes are deleted. Settlements and the audit trail are kept.'),
    confirm: t('Remove'),
    danger: true,
    onDone: onRemoved,
  })
  return (
    <>
      <Button variant="default" c="var(--gm-down)" onClick={() => remove()}>
        {t('Remove statement')}
      </Button>
      {removeDialog}
    </>
  )
}
