import { Button } from '@mantine/core'
import {
  bidResultHistory,
  findBidResultFiles,
  type ResultField,
  takeBidResults,
  type ResultRow,
} from '@gridmast/contract/trading/bid-files.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { downloadCall } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useList } from '#lib/list.ts'
import { showToast } from '#lib/toast.ts'
import { useCan } from '#lib/user.tsx'
import { ErrorBanner } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { AlreadyImported, FileColumns, FileSteps, FileSummary, FileWarning } from '#ui/FileImport.tsx'
import { useFileImport } from '#ui/useFileImport.ts'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { digits, format } from '#lib/format.ts'
import { Tag, type TagKind } from '#ui/Tag.tsx'
import classes from './bid-requests.module.css'

const kinds: Record<ResultRow['kind'], { words: Sentence; kind: TagKind }> = {
  first: { words: 'New', kind: 'up' },
  changed: { words: 'Changed', kind: 'brand' },
  confirmed: { words: 'Confirmed', kind: 'plain' },
  same: { words: 'Unchanged', kind: 'plain' },
  'no-bid': { words: 'No such bid', kind: 'warn' },
  wrong: { words: 'Not readable', kind: 'down' },
}
const contradictionWords: Record<NonNullable<ResultRow['contradiction']>, Sentence> = {
  'won-above': 'Won, though the bid is above the published price',
  'lost-below': 'Lost, though the bid is below the published price',
  'other-price': 'Another price than the published one',
}

const bidText = ({ bid }: ResultRow) =>
  bid === null ? '' : `${format.fixedMw(bid.capacityMw)} · ${digits.eur(bid.priceEur)} EUR/MW`
const wonText = ({ before, wonMw }: ResultRow) =>
  before === null || digits.fixedMw(before.wonMw) === digits.fixedMw(wonMw)
    ? digits.fixedMw(wonMw)
    : `${digits.fixedMw(before.wonMw)} → ${digits.fixedMw(wonMw)}`

const useColumns = (): Columns<ResultRow> => {
  const about = ({ mistake, contradiction }: ResultRow) => {
    if (mistake) return `${mistake.column} “${mistake.found}”: ${translateText(mistake.expected)}`
    return contradiction === null ? null : t(contradictionWords[contradiction])
  }
  return [
    column.number('line', t('Row'), ({ line }) => line),
    column.text(
      'start',
      t('Start'),
      ({ start }) => (start === null ? '' : formatDateTime(Date.parse(start)).slice(0, 16)),
      { digits: true },
    ),
    column.text('instance', t('Instance'), ({ instance }) => instance, { card: 'lead' }),
    column.text('auction', t('Auction'), ({ product, auction }) => `${product} ${auction}`.trim()),
    column.cell('bid', t('Bid'), bidText),
    column.figure('published', t('Published (EUR/MW)'), ({ publishedEur }) => digits.eur(publishedEur)),
    column.figure('file', t('In the file (EUR/MW)'), (row) => digits.eur(row.marginalPriceEur)),
    column.figure('won', t('Won (MW)'), wonText),
    column.cell(
      'kind',
      t('Result'),
      (row) => (
        <Stack as="span" gap={2} align="start">
          <Tag kind={kinds[row.kind].kind}>{t(kinds[row.kind].words)}</Tag>
          {about(row) && (
            <Text as="small" ink="warn" size="tiny" className={classes.warning}>
              {about(row)}
            </Text>
          )}
        </Stack>
      ),
      { card: 'corner' },
    ),
  ]
}

const ResultRows = ({ rows }: { rows: readonly ResultRow[] }) => (
  <DataTable
    label={t('Rows of the file')}
    dense
    tight
    columns={useColumns()}
    rows={rows}
    rowKey={({ line }) => String(line)}
    pageSize={10}
    warnRow={({ kind, contradiction }) => contradiction !== null || kind === 'wrong'}
  />
)

const fieldWords: Record<ResultField, Sentence> = {
  request: 'Bid request',
  instance: 'Instance',
  product: 'Product',
  auction: 'Auction',
  start: 'Start',
  day: 'Day',
  slot: 'Slot',
  wonMw: 'Accepted (MW)',
  won: 'Result',
  marginalPrice: 'Marginal price (EUR/MW)',
}

type Counts = Data<typeof takeBidResults>['counts']

const countWords = {
  first: 'decided for the first time',
  changed: 'changed',
  confirmed: 'confirmed',
  same: 'unchanged',
  'no-bid': 'without a bid',
  wrong: 'not readable',
} as const satisfies Partial<Record<keyof Counts, Sentence>>
const counted = ['first', 'changed', 'confirmed', 'same', 'no-bid', 'wrong'] as const

const decidedOf = ({ first, changed, confirmed, same }: Counts) => first + changed + confirmed + same

const ImportFile = ({ onImported }: { onImported: () => void }) => {
  const file = useFileImport(takeBidResults, {
    isWatched: true,
    bodyOf: ({ columns, counts }) => ({ columns, contradictions: counts.contradictions }),
    isSaved: ({ saved }) => saved,
    onSaved: (answer) => {
      const count = decidedOf(answer.counts)
      showToast({ kind: 'success', message: t('{{count}} results imported', { count }) })
      onImported()
    },
  })
  const { preview } = file
  const answer = preview?.answer
  const counts = answer?.counts
  const decided = counts ? decidedOf(counts) : 0
  const contradictions = counts?.contradictions ?? 0
  return (
    <>
      <FileSteps
        of={file}
        about={t(
          'The grid operator’s file with a row for each bid (Excel or CSV). The file takes precedence. Bids it does not list keep the published result.',
        )}
        waiting={t('The file is being checked …')}
      />
      {preview && answer?.before && <AlreadyImported before={answer.before} />}
      {preview && answer && !answer.before && (
        <FileColumns
          words={fieldWords}
          names={answer.names}
          columns={answer.columns}
          onChange={(columns) => file.read(preview.file, columns)}
        />
      )}
      {answer?.missing && <ErrorBanner title={translateText(answer.missing)} />}
      {preview && answer && counts && counts.rows > 0 && !file.isPending && (
        <>
          <FileSummary
            name={preview.file.name}
            counts={counted
              .filter((kind) => counts[kind] > 0)
              .map((kind) => ({ words: t(countWords[kind]), count: counts[kind] }))}
          >
            <Button disabled={decided === 0 || (contradictions > 0 && !file.isReviewed)} onClick={file.save}>
              {t('Import {{count}} results', { count: decided })}
            </Button>
          </FileSummary>
          {contradictions > 0 && (
            <Stack gap={8}>
              <FileWarning
                title={t('{{count}} rows contradict the published prices.', { count: contradictions })}
                label={t('I have reviewed them. Use the operator’s results.')}
                isReviewed={file.isReviewed}
                onReview={file.setReviewed}
              >
                {t('They are first in the list.')}
              </FileWarning>
            </Stack>
          )}
          {answer.days && (
            <Row as="p" gap={8} below={8} ink="ink2">
              {formatDate(answer.days.first)}
              {answer.days.last !== answer.days.first && ` – ${formatDate(answer.days.last)}`}
            </Row>
          )}
          <ResultRows rows={answer.rows} />
        </>
      )}
    </>
  )
}

type ImportedFile = Data<typeof findBidResultFiles>['files'][number]

const History = ({ file: { _id, name } }: { file: ImportedFile }) => (
  <ExportButton
    small
    label={t('Results in {{name}}', { name })}
    onExport={(format) => downloadCall(bidResultHistory, { params: { id: _id }, query: { format } })}
  />
)

const useFileColumns = (): Columns<ImportedFile> => {
  const when = ({ takenAt }: ImportedFile) => formatDateTime(Date.parse(takenAt))
  return [
    column.text('name', t('File'), ({ name }) => name, { card: 'lead' }),
    column.cell('at', t('Received'), when, { digits: true }),
    column.text('by', t('By'), ({ takenBy }) => takenBy),
    column.number('bids', t('Bids'), ({ bids }) => bids),
    column.number('changed', t('Changed'), ({ changed }) => changed),
    column.number('against', t('Contradictions'), ({ contradictions }) => contradictions),
    column.figure('action', t('Actions'), (file) => <History file={file} />, { card: 'actions' }),
  ]
}

const ImportedFiles = () => {
  const columns = useFileColumns()
  const list = useList(findBidResultFiles, { query: {} }, { rows: ({ files }) => files, ownPage: true, ownSort: true })
  return (
    <ListPanel
      title={t('Imported result files')}
      {...list}
      failed={t('The result files could not be loaded.')}
      dense
      columns={columns}
      rowKey={({ _id }) => _id}
      emptyReason={t('No result file has been imported: bids are decided by the published prices.')}
    />
  )
}

export const ResultFileDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const mayImport = useCan('bid-result.take')
  const [imports, setImports] = useState(0)
  return (
    <Dialog opened={opened} onClose={onClose} size={1180} large title={t('Result files')}>
      {opened && (
        <Stack gap={12}>
          {mayImport && <ImportFile key={imports} onImported={() => setImports(imports + 1)} />}
          <ImportedFiles />
        </Stack>
      )}
    </Dialog>
  )
}
