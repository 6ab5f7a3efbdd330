import { Button, Checkbox } from '@mantine/core'
import {
  bidResultHistory,
  findBidResultFiles,
  resultFileColumns,
  type ResultColumns,
  type ResultField,
  takeBidResults,
} from '@gridmast/contract/trading/bid-files.ts'
import type { Data, Sent } from '@gridmast/contract/call.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { downloadCall } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useList } from '#lib/list.ts'
import { useDo } from '#lib/query.ts'
import { showToast } from '#lib/toast.ts'
import { useCan } from '#lib/user.tsx'
import { ErrorBanner } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import {
  ChooseFile,
  FileColumns,
  FileError,
  FileSummary,
  FileProgress,
  AlreadyImported,
  useProgress,
} from '#ui/FileImport.tsx'
import { Row, Stack } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { ResultRows } from './ResultRows.tsx'

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

type Answer = Data<typeof takeBidResults>
type Preview = { file: File; answer: Answer }

const countWords = {
  first: 'decided for the first time',
  changed: 'changed',
  confirmed: 'as the price decided',
  same: 'as before',
  'no-bid': 'without a bid',
  wrong: 'not readable',
} as const satisfies Partial<Record<keyof Answer['counts'], Sentence>>
const counted = ['first', 'changed', 'confirmed', 'same', 'no-bid', 'wrong'] as const

const TakeFile = ({ onTaken }: { onTaken: () => void }) => {
  const [preview, setPreview] = useState<Preview | null>(null)
  const [seen, setSeen] = useState(false)
  const taking = useDo(takeBidResults, { fields: ['file'] })
  const { watch, progress } = useProgress(taking.isPending)
  type Body = Sent<typeof takeBidResults>['body']
  const send = (file: File, body: Body, then: (answer: Answer) => void) =>
    taking.mutate({ body: { ...body, watch }, file } as Sent<typeof takeBidResults>, { onSuccess: then }) // the file goes beside the body
  const look = (file: File, columns?: ResultColumns) => {
    setSeen(false)
    if (!columns) setPreview(null)
    send(file, { save: false, ...(columns ? { columns } : {}) }, (answer) => setPreview({ file, answer }))
  }
  const answer = preview?.answer
  const counts = answer?.counts
  const decided = counts ? counts.first + counts.changed + counts.confirmed + counts.same : 0
  const contradictions = counts?.contradictions ?? 0
  const save = () =>
    preview &&
    answer &&
    send(preview.file, { save: true, columns: answer.columns, contradictions }, (next) => {
      if (!next.saved) return setPreview({ ...preview, answer: next })
      showToast({
        kind: 'success',
        message: t('{{count}} results imported', { count: decided }),
      })
      onTaken()
    })
  return (
    <>
      <ChooseFile
        about={t(
          'The grid operator’s file with a row for each bid (Excel or CSV). The file takes precedence. Bids it does not list keep the published result.',
        )}
        again={preview !== null}
        onFile={look}
      />
      {taking.isPending && (
        <FileProgress words={t('The file is being checked …')} progress={progress} onCancel={taking.cancel} />
      )}
      {taking.error && <FileError error={taking.error} />}
      {preview && answer?.before && <AlreadyImported before={answer.before} />}
      {preview && answer && !answer.before && (
        <FileColumns
          words={fieldWords}
          names={answer.names}
          columns={answer.columns}
          onChange={(columns) => look(preview.file, columns)}
        />
      )}
      {answer?.missing && <ErrorBanner title={translateText(answer.missing)} />}
      {preview && answer && counts && counts.rows > 0 && !taking.isPending && (
        <>
          <FileSummary
            name={preview.file.name}
            counts={counted
              .filter((kind) => counts[kind] > 0)
              .map((kind) => ({ words: t(countWords[kind]), count: counts[kind] }))}
          >
            <Button disabled={decided === 0 || (contradictions > 0 && !seen)} onClick={save}>
              {t('Import {{count}} results', { count: decided })}
            </Button>
          </FileSummary>
          {contradictions > 0 && (
            <Stack gap={8}>
              <ErrorBanner title={t('{{count}} rows contradict the published prices.', { count: contradictions })}>
                {t('They are first in the list.')}
              </ErrorBanner>
              <Checkbox
                label={t('I have reviewed them. Use the operator’s results.')}
                checked={seen}
                onChange={(event) => setSeen(event.currentTarget.checked)}
              />
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

type TakenFile = Data<typeof findBidResultFiles>['files'][number]

const History = ({ file: { _id, name } }: { file: TakenFile }) => (
  <ExportButton
    small
    label={t('Results in {{name}}', { name })}
    onExport={(format) => downloadCall(bidResultHistory, { params: { id: _id }, query: { format } }, name)}
  />
)

const useFileColumns = (): Columns<TakenFile> => {
  const when = ({ takenAt }: TakenFile) => formatDateTime(Date.parse(takenAt))
  return [
    column.text('name', t('File'), ({ name }) => name, { card: 'lead' }),
    column.cell('at', t('Received'), when, { digits: true }),
    column.text('by', t('By'), ({ takenBy }) => takenBy),
    column.number('bids', t('Bids'), ({ bids }) => bids),
    column.number('changed', t('Changed'), ({ changed }) => changed),
    column.number('against', t('Contradictions'), ({ contradictions }) => contradictions),
    column.figure('action', t('Action'), (file) => <History file={file} />, { card: 'acts' }),
  ]
}

/** Files that were taken, with what each said and what stood there before. */
const TakenFiles = () => {
  const columns = useFileColumns()
  const list = useList(
    findBidResultFiles,
    { query: {} },
    {
      sortable: resultFileColumns,
      pageOf: ({ files, totalCount }) => ({ rows: files, total: totalCount }),
      ownPage: true,
      ownSort: true,
    },
  )
  return (
    <ListPanel
      label={t('Imported result files')}
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

/** The grid operator's result files: what was taken, and another one, shown before it decides anything. */
export const ResultFileDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const mayTake = useCan('bid-result.take')
  const [takes, setTakes] = useState(0)
  return (
    <Dialog opened={opened} onClose={onClose} size={1180} large title={t('Result files')}>
      {opened && (
        <Stack gap={12}>
          {mayTake && <TakeFile key={takes} onTaken={() => setTakes(takes + 1)} />}
          <TakenFiles />
        </Stack>
      )}
    </Dialog>
  )
}
