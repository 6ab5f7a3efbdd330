import { Button } from '@mantine/core'
import { type ImportedRow, importChargerTags } from '@gridmast/contract/charging/charge-fleet.ts'
import type { Sentence } from '#i18n/da.ts'
import { saveFile } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { showToast } from '#lib/toast.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { ImportedValue, ChooseFile, FileError, FileSummary, FileProgress } from '#ui/FileImport.tsx'
import { useFileImport } from '#ui/useFileImport.ts'
import { Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag, type TagKind } from '#ui/Tag.tsx'

const pageSize = 15

/** Excel in Denmark splits columns at semicolons and reads UTF-8 only with a byte order mark. */
const template = '\uFEFFName;Tag ID;Group;Active\r\nVan 7;04A219B7;Vans;yes\r\n'

const kinds: Record<ImportedRow['kind'], { words: Sentence; kind: TagKind }> = {
  new: { words: 'New', kind: 'up' },
  changed: { words: 'Changed', kind: 'brand' },
  same: { words: 'Already exists', kind: 'plain' },
  wrong: { words: 'Skipped', kind: 'down' },
}

const useColumns = (): Columns<ImportedRow> => [
  column.number('line', t('Row'), ({ line }) => line, { sort: true }),
  column.cell('name', t('Name'), ({ name, errors }) => <ImportedValue value={name} error={errors['name']} />, {
    card: 'lead',
  }),
  column.cell('tagID', t('Tag ID'), ({ tagID, errors }) => <ImportedValue value={tagID} error={errors['tagID']} />),
  column.cell('group', t('Group'), ({ group, errors }) => <ImportedValue value={group} error={errors['group']} />),
  column.cell('active', t('Active'), ({ action, errors }) => (
    <ImportedValue value={action === null ? '' : action ? t('Yes') : t('No')} error={errors['action']} />
  )),
  column.cell('kind', t('Result'), ({ kind }) => <Tag kind={kinds[kind].kind}>{t(kinds[kind].words)}</Tag>, {
    card: 'corner',
    sort: ({ kind }) => kind,
  }),
]

/** Tags from a file: a preview of each row, then the import. */
export const TagImport = () => {
  const columns = useColumns()
  const file = useFileImport(importChargerTags, {
    isSaved: () => true,
    onSaved: () => {
      file.close()
      showToast({ kind: 'success', message: t('{{count}} tags saved', { count: savable }) })
    },
  })
  const { preview, isPending, error } = file
  const counts = preview?.answer.counts
  const savable = (counts?.new ?? 0) + (counts?.changed ?? 0)
  return (
    <Panel label={t('Import tags')} title={t('Import tags')} bleed={preview !== null}>
      <Stack gap={12} style={preview ? { padding: '0 16px 12px' } : {}}>
        <ChooseFile
          about={t('An Excel or CSV file with the columns Name, Tag ID, Group and Active. Missing groups are created.')}
          again={preview !== null}
          onFile={file.read}
          onTemplate={() => saveFile(new Blob([template], { type: 'text/csv;charset=utf-8' }), 'tags.csv')}
        />
        {isPending && !preview && <FileProgress words={t('The file is being checked …')} onCancel={file.cancel} />}
        {error && !preview && <FileError error={error} />}
        {preview && counts && (
          <FileSummary
            name={preview.file.name}
            counts={(['new', 'changed', 'same', 'wrong'] as const).map((kind) => ({
              words: t(kinds[kind].words),
              count: counts[kind],
            }))}
          >
            <Button disabled={savable === 0} loading={isPending} onClick={file.save}>
              {t('Save {{count}} tags', { count: savable })}
            </Button>
          </FileSummary>
        )}
      </Stack>
      {preview && (
        <DataTable
          key={preview.file.name}
          label={t('Rows of the file')}
          columns={columns}
          rows={preview.answer.rows}
          rowKey={({ line }) => String(line)}
          pageSize={pageSize}
          warnRow={({ kind }) => kind === 'wrong'}
        />
      )}
    </Panel>
  )
}
