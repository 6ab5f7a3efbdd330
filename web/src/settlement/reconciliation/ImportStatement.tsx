import { Button } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import type { Mistake } from '@gridmast/contract/table-mistake.ts'
import { takeStatement } from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import { t, translateText } from '#lib/i18n.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { AlreadyImported, FileColumns, FileSteps, FileSummary, FileWarning } from '#ui/FileImport.tsx'
import { useFileImport } from '#ui/useFileImport.ts'
import { Note, Stack } from '#ui/Layout.tsx'
import { Causes, useLineColumns } from './line-columns.tsx'
import { fieldWords } from './reconciliation-words.ts'

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

type Props = { opened: boolean; onClose: () => void; onImported: (id: string) => void }

export const ImportStatementDialog = ({ opened, onClose, onImported }: Props) => (
  <Dialog opened={opened} onClose={onClose} size={1180} large title={t('Import a statement')}>
    {opened && <ImportStatement onImported={onImported} />}
  </Dialog>
)

const skippedOf = ({ counts }: Data<typeof takeStatement>) => counts.wrong + counts.foreign

const ImportStatement = ({ onImported }: Pick<Props, 'onImported'>) => {
  const file = useFileImport(takeStatement, {
    isWatched: true,
    bodyOf: (answer) => ({ columns: answer.columns, leftOut: skippedOf(answer) }),
    isSaved: ({ savedAs }) => savedAs !== null,
    onSaved: ({ savedAs }) => savedAs && onImported(savedAs),
  })
  const { preview } = file
  const answer = preview?.answer
  const skipped = answer ? skippedOf(answer) : 0
  const columns = useLineColumns()
  return (
    <Stack gap={12}>
      <FileSteps
        of={file}
        about={t(
          'The operator’s statement in EUR (Excel or CSV), with one row per period or day of an instance. It is compared with the settlements and changes none of them.',
        )}
        waiting={t('The statement is being compared …')}
      />
      {answer?.before && <AlreadyImported before={answer.before} />}
      {preview && answer && !answer.before && (
        <FileColumns
          words={fieldWords}
          names={answer.names}
          columns={answer.columns}
          onChange={(next) => file.read(preview.file, next)}
        />
      )}
      {answer?.missing && <ErrorBanner title={translateText(answer.missing)} />}
      {preview && answer && answer.counts.rows > 0 && !file.isPending && (
        <>
          <FileSummary
            name={preview.file.name}
            counts={counted
              .filter((kind) => answer.counts[kind] > 0)
              .map((kind) => ({ words: t(countWords[kind]), count: answer.counts[kind] }))}
          >
            <Button disabled={!answer.days || (skipped > 0 && !file.isReviewed)} onClick={file.save}>
              {t('Save comparison')}
            </Button>
          </FileSummary>
          {skipped > 0 && (
            <FileWarning
              title={t('{{count}} rows are skipped.', { count: skipped })}
              label={t('I have reviewed them. Compare the statement without them.')}
              isReviewed={file.isReviewed}
              onReview={file.setReviewed}
            >
              {t('Unreadable rows, and rows of instances that your company does not have.')}
            </FileWarning>
          )}
          {answer.mistakes.length > 0 && <Mistakes rows={answer.mistakes} />}
          {answer.days && (
            <>
              <Note size="note" below={8}>
                {formatDate(answer.days.first)} – {formatDate(answer.days.last)}
              </Note>
              <Causes sums={answer.sums} />
              <DataTable
                label={t('Statement and settlements')}
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
    label={t('Unreadable rows')}
    dense
    columns={useMistakeColumns()}
    rows={rows}
    rowKey={({ row, column }) => `${row} ${column}`}
    pageSize={5}
  />
)
