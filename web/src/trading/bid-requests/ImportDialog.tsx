import '#lib/zod.ts'
import { Button } from '@mantine/core'
import { exportBidRequests, importBidRequests, type ImportedRequest } from '@gridmast/contract/trading/bid-files.ts'
import type { Mistake } from '@gridmast/contract/table-mistake.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { formatDate, localDate } from '@gridmast/contract/time.ts'
import { downloadCall } from '#lib/download.ts'
import { digits } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { showToast } from '#lib/toast.ts'
import { ErrorBanner } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FileSteps, FileSummary } from '#ui/FileImport.tsx'
import { useFileImport } from '#ui/useFileImport.ts'
import { Note, Stack, Text } from '#ui/Layout.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './bid-requests.module.css'
import { warningOf } from './bid-words.ts'

const pageSize = 10

const dateText = (text: string) => (localDate.safeParse(text).success ? formatDate(text) : text)

const useRequestColumns = (): Columns<ImportedRequest> => {
  const offer = ({ offered, customBidding }: ImportedRequest) => {
    if (offered)
      return t('{{count}} slots, up to {{mw}} MW', {
        count: offered.slots,
        mw: digits.fixedMw(offered.mostMw),
      })
    return customBidding === false ? t('By contract') : ''
  }
  return [
    column.number('line', t('Row'), ({ line }) => line),
    column.text('instance', t('Instance'), ({ instance }) => instance, { card: 'lead' }),
    column.text('market', t('Market'), ({ biddingMarket }) => biddingMarket),
    column.text('start', t('Start Date'), ({ startDate }) => dateText(startDate), { digits: true }),
    column.text('end', t('End Date'), ({ endDate }) => dateText(endDate), { digits: true }),
    column.number('excluded', t('Excluded Count'), ({ excludedCount }) => excludedCount),
    column.cell('offer', t('Bids'), offer),
    column.cell(
      'state',
      t('Result'),
      ({ mistakes, warnings, biddingMarket }) =>
        mistakes > 0 ? (
          <Tag kind="down">{t('{{count}} mistakes', { count: mistakes })}</Tag>
        ) : (
          <Stack as="span" gap={2} align="start">
            <Tag kind="up">{t('New')}</Tag>
            {warnings.map((warning) => (
              <Text as="small" key={warning.kind} ink="warn" size="tiny" className={classes.warning}>
                {warningOf(biddingMarket, warning)}
              </Text>
            ))}
          </Stack>
        ),
      { card: 'corner' },
    ),
  ]
}

const useMistakeColumns = (): Columns<Mistake> => [
  column.text('cell', t('Cell'), ({ cell }) => cell, { card: 'lead' }),
  column.number('row', t('Row'), ({ row }) => row),
  column.text('column', t('Column'), ({ column }) => column),
  column.text('found', t('Found'), ({ found }) => found || t('empty')),
  column.text('expected', t('Expected'), ({ expected }) => translateText(expected)),
]

type Answer = Data<typeof importBidRequests>

const Mistakes = ({ answer }: { answer: Answer }) => {
  const columns = useMistakeColumns()
  const { mistakes, mistakeCount, sheet } = answer
  return (
    <>
      <ErrorBanner title={t('Nothing is saved while a cell has a mistake.')}>
        {t('Correct the cells in the file and choose it again.')}{' '}
        {mistakeCount > mistakes.length && t('The first {{n}} are listed.', { n: mistakes.length })}
      </ErrorBanner>
      <DataTable
        label={t('Mistakes')}
        dense
        columns={columns}
        rows={mistakes}
        rowKey={({ row, column, expected }) => `${row} ${column} ${expected}`}
        pageSize={pageSize}
      />
      {sheet !== null && (
        <Note above={8} size="label">
          {t('Sheet “{{sheet}}”', { sheet })}
        </Note>
      )}
    </>
  )
}

const Contents = ({ market, onClose }: { market: string; onClose: () => void }) => {
  const columns = useRequestColumns()
  const file = useFileImport(importBidRequests, {
    isWatched: true,
    isSaved: ({ saved }) => saved,
    onSaved: ({ requests }) => {
      showToast({ kind: 'success', message: t('{{count}} bid requests created', { count: requests.length }) })
      onClose()
    },
  })
  const { preview } = file
  const count = preview?.answer.requests.length ?? 0
  const template = () =>
    void downloadCall(exportBidRequests, { query: { content: 'template', market, format: 'xlsx' } })
  return (
    <Stack gap={12}>
      <FileSteps
        of={file}
        about={t(
          'An Excel or CSV file in the format of the export: one row per request, one column per slot. All requests of a file are created, or none.',
        )}
        waiting={preview ? t('The requests are being saved …') : t('The file is being checked …')}
        onTemplate={template}
      />
      {preview && !file.isPending && (
        <FileSummary
          name={preview.file.name}
          counts={[
            { words: t('Requests'), count },
            { words: t('Mistakes'), count: preview.answer.mistakeCount },
          ]}
        >
          <Button disabled={preview.answer.mistakeCount > 0} onClick={file.save}>
            {t('Create {{count}} requests', { count })}
          </Button>
        </FileSummary>
      )}
      {preview && preview.answer.mistakeCount > 0 && <Mistakes answer={preview.answer} />}
      {preview && (
        <DataTable
          key={preview.file.name}
          label={t('Requests of the file')}
          columns={columns}
          rows={preview.answer.requests}
          rowKey={({ line }) => String(line)}
          pageSize={pageSize}
          warnRow={({ mistakes }) => mistakes > 0}
        />
      )}
    </Stack>
  )
}

type Props = { market: string; opened: boolean; onClose: () => void }

export const ImportDialog = ({ market, opened, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} size={984} large title={t('Import bid requests')}>
    {opened && <Contents market={market} onClose={onClose} />}
  </Dialog>
)
