import { Button, Checkbox } from '@mantine/core'
import type { Data, Sent } from '@gridmast/contract/call.ts'
import type { Mistake } from '@gridmast/contract/table-mistake.ts'
import { type StatementColumns, takeStatement } from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import {
  ChooseFile,
  FileColumns,
  FileError,
  FileSummary,
  FileProgress,
  AlreadyImported,
  useProgress,
} from '#ui/FileImport.tsx'
import { Stack } from '#ui/Layout.tsx'
import { Causes } from './Causes.tsx'
import { useLineColumns } from './line-columns.tsx'
import { fieldWords } from './reconciliation-words.ts'
import classes from './reconciliation.module.css'

type Answer = Data<typeof takeStatement>
type Preview = { file: File; answer: Answer }

const counted = ['agrees', 'differs', 'not-settled', 'not-in-statement', 'open', 'foreign', 'wrong'] as const
const countWords: Record<(typeof counted)[number], Sentence> = {
  agrees: 'agree',
  differs: 'differ',
  'not-settled': 'not in Gridmast',
  'not-in-statement': 'not in the statement',
  open: 'pending',
  foreign: 'of other instances',
  wrong: 'not readable',
}

type Props = { opened: boolean; onClose: () => void; onTaken: (id: string) => void }

/** The operator's statement: read, shown beside what is settled, and then kept. */
export const ImportStatementDialog = ({ opened, onClose, onTaken }: Props) => (
  <Dialog opened={opened} onClose={onClose} size={1180} large title={t('Import a statement')}>
    {opened && <ImportStatement onTaken={onTaken} />}
  </Dialog>
)

const ImportStatement = ({ onTaken }: Pick<Props, 'onTaken'>) => {
  const [preview, setPreview] = useState<Preview | null>(null)
  const [seen, setSeen] = useState(false)
  const taking = useDo(takeStatement, { fields: ['file'] })
  const { watch, progress } = useProgress(taking.isPending)
  const send = (file: File, body: Sent<typeof takeStatement>['body'], then: (answer: Answer) => void) =>
    taking.mutate({ body: { ...body, watch }, file } as Sent<typeof takeStatement>, { onSuccess: then }) // the file goes beside the body
  const look = (file: File, columns?: StatementColumns) => {
    setSeen(false)
    if (!columns) setPreview(null)
    send(file, { save: false, ...(columns ? { columns } : {}) }, (answer) => setPreview({ file, answer }))
  }
  const answer = preview?.answer
  const leftOut = answer ? answer.counts.wrong + answer.counts.foreign : 0
  const save = () =>
    preview &&
    answer &&
    send(preview.file, { save: true, columns: answer.columns, leftOut }, (next) =>
      next.savedAs ? onTaken(next.savedAs) : setPreview({ ...preview, answer: next }),
    )
  const columns = useLineColumns()
  return (
    <Stack gap={12}>
      <ChooseFile
        about={t(
          'The operator’s statement with a row for each period or each day of an instance (Excel or CSV), in EUR. It is compared with the settlements here and changes none of them.',
        )}
        again={preview !== null}
        onFile={look}
      />
      {taking.isPending && (
        <FileProgress words={t('The statement is being compared …')} progress={progress} onCancel={taking.cancel} />
      )}
      {taking.error && <FileError error={taking.error} />}
      {answer?.before && <AlreadyImported before={answer.before} />}
      {preview && answer && !answer.before && (
        <FileColumns
          words={fieldWords}
          names={answer.names}
          columns={answer.columns}
          onChange={(next) => look(preview.file, next)}
        />
      )}
      {answer?.missing && <ErrorBanner title={translateText(answer.missing)} />}
      {preview && answer && answer.counts.rows > 0 && !taking.isPending && (
        <>
          <FileSummary
            name={preview.file.name}
            counts={counted
              .filter((kind) => answer.counts[kind] > 0)
              .map((kind) => ({ words: t(countWords[kind]), count: answer.counts[kind] }))}
          >
            <Button disabled={!answer.days || (leftOut > 0 && !seen)} onClick={save}>
              {t('Keep the comparison')}
            </Button>
          </FileSummary>
          {leftOut > 0 && (
            <>
              <ErrorBanner title={t('{{count}} rows are left out.', { count: leftOut })}>
                {t('Rows that cannot be read, and rows of instances that your company does not have.')}
              </ErrorBanner>
              <Checkbox
                label={t('I have seen it: compare the statement without them')}
                checked={seen}
                onChange={(event) => setSeen(event.currentTarget.checked)}
              />
            </>
          )}
          {answer.mistakes.length > 0 && <Mistakes rows={answer.mistakes} />}
          {answer.days && (
            <>
              <p className={classes.about}>
                {formatDate(answer.days.first)} – {formatDate(answer.days.last)}
              </p>
              <Causes sums={answer.sums} />
              <DataTable
                label={t('The statement beside the settlements')}
                dense
                tight
                columns={columns}
                rows={answer.lines}
                rowKey={({ row, instanceId, date, type }) => `${row} ${instanceId} ${date} ${type}`}
                pageSize={10}
                warnRow={({ kind }) => kind !== 'agrees'}
              />
            </>
          )}
        </>
      )}
    </Stack>
  )
}

const useMistakeColumns = (): Columns<Mistake> => [
  column.number('row', t('Row'), ({ row }) => row),
  column.text('column', t('Column'), ({ column, cell }) => [column, cell].filter(Boolean).join(' · '), {
    card: 'lead',
  }),
  column.text('found', t('Found'), ({ found }) => found),
  column.text('expected', t('Expected'), ({ expected }) => translateText(expected)),
]

const Mistakes = ({ rows }: { rows: readonly Mistake[] }) => (
  <DataTable
    label={t('Rows that cannot be read')}
    dense
    columns={useMistakeColumns()}
    rows={rows}
    rowKey={({ row, column }) => `${row} ${column}`}
    pageSize={5}
  />
)
