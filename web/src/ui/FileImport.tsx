import { Button, Checkbox, FileButton, Group } from '@mantine/core'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { useNow } from '#lib/clock.ts'
import { format } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useLiveProgress } from '#lib/live.ts'
import { Select } from './Select.tsx'
import { ErrorBanner, StaleBanner } from './Loaded.tsx'
import classes from './FormParts.module.css'
import { Note, Row } from './Layout.tsx'

/** Parts of a file import: choose, check, preview, save. */

const newWatchId = () => Math.random().toString(36).slice(2)

const acceptedTypes = '.xlsx,.csv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type ChooseProps = {
  about: ReactNode
  again: boolean
  onFile: (file: File) => void
  onTemplate?: () => void
}

export const ChooseFile = ({ about, again, onFile, onTemplate }: ChooseProps) => (
  <>
    <Note ink="ink2" size="body" style={{ maxWidth: '72ch' }}>
      {about}
    </Note>
    <Group gap={8}>
      <FileButton accept={acceptedTypes} onChange={(file) => file && onFile(file)}>
        {(button) => (
          <Button {...button} variant="default" leftSection={<IconFileSpreadsheet stroke={1.8} aria-hidden />}>
            {again ? t('Choose another file') : t('Choose a file')}
          </Button>
        )}
      </FileButton>
      {onTemplate && (
        <Button variant="subtle" onClick={onTemplate}>
          {t('Download a template')}
        </Button>
      )}
    </Group>
  </>
)

export type Progress = { done: number; total: number }

/** Progress of a running call with this `watch` id. */
export const useProgress = (isRunning: boolean): { watch: string; progress: Progress | null } => {
  const [watch] = useState(newWatchId)
  const [progress, setProgress] = useState<Progress | null>(null)
  useLiveProgress((event) => {
    if (event.watch === watch) setProgress(event)
  })
  // Clears late events, and those of the previous call.
  if (!isRunning && progress) setProgress(null)
  return { watch, progress }
}

type WaitProps = { words: string; progress?: Progress | null; onCancel: () => void }

export const FileProgress = ({ words, progress, onCancel }: WaitProps) => {
  const [sinceMs] = useState(Date.now)
  const seconds = Math.floor((useNow(1000) - sinceMs) / 1000)
  return (
    <div className={classes.summary}>
      <span role="status">{words}</span>
      {progress && (
        <span className="gm-num">
          {t('{{done}} of {{count}} rows', { done: format.count(progress.done), count: progress.total })}
        </span>
      )}
      {seconds >= 2 && <span className="gm-num">{t('{{seconds}} s so far', { seconds })}</span>}
      <Button variant="default" ml="auto" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}

type FileRefusal = { message: string; errors: Record<string, string> }

export const FileError = ({ error }: { error: FileRefusal }) => (
  <ErrorBanner title={t('The file could not be read.')}>
    {translateText(Object.values(error.errors)[0] ?? error.message)}
  </ErrorBanner>
)

type SummaryProps = { name: string; counts: { words: string; count: number }[]; children?: ReactNode }

export const FileSummary = ({ name, counts, children }: SummaryProps) => (
  <div className={classes.summary} role="status">
    <b>{name}</b>
    {counts.map(({ words, count }) => (
      <span key={words}>
        <b className="gm-num">{count}</b> {words}
      </span>
    ))}
    {children && (
      <Row as="span" gap={8} align="stretch" end>
        {children}
      </Row>
    )}
  </div>
)

export const ImportedValue = ({ value, error }: { value: string; error: string | undefined }) => (
  <>
    {value || unknownText}
    {error && <small className={classes.wrong}>{translateText(error)}</small>}
  </>
)

type Reading = {
  preview: object | null
  isPending: boolean
  error: FileRefusal | null
  progress: Progress | null
  read: (file: File) => void
  cancel: () => void
}
type StepsProps = { of: Reading; about: ReactNode; waiting: string; onTemplate?: () => void }

/** The file chooser with the progress or the error of the file. */
export const FileSteps = ({ of, about, waiting, onTemplate }: StepsProps) => (
  <>
    <ChooseFile about={about} again={of.preview !== null} onFile={of.read} {...(onTemplate && { onTemplate })} />
    {of.isPending && <FileProgress words={waiting} progress={of.progress} onCancel={of.cancel} />}
    {of.error && <FileError error={of.error} />}
  </>
)

type WarningProps = {
  title: string
  label: string
  children: ReactNode
  isReviewed: boolean
  onReview: (is: boolean) => void
}

/** A warning that the user confirms before the file can be saved. */
export const FileWarning = ({ title, label, children, isReviewed, onReview }: WarningProps) => (
  <>
    <ErrorBanner title={title}>{children}</ErrorBanner>
    <Checkbox label={label} checked={isReviewed} onChange={(event) => onReview(event.currentTarget.checked)} />
  </>
)

type ColumnsProps<F extends string> = {
  words: Record<F, Sentence>
  names: readonly string[]
  columns: { [K in F]?: string | undefined }
  onChange: (columns: { [K in F]?: string | undefined }) => void
}

export const FileColumns = <F extends string>({ words, names, columns, onChange }: ColumnsProps<F>) => {
  const data = [...new Set(names.filter((name) => name !== ''))]
  return (
    <div className={classes.columns} role="group" aria-label={t('Columns of the file')}>
      {(Object.entries(words) as [F, Sentence][]).map(([field, label]) => (
        <Select
          key={field}
          label={t(label)}
          placeholder={t('not in the file')}
          data={data}
          clearable
          value={columns[field] ?? null}
          onChange={(name) => onChange({ ...columns, [field]: name ?? undefined })}
        />
      ))}
    </div>
  )
}

type ImportedProps = { before: { name: string; takenAt: string; takenBy: string } }

export const AlreadyImported = ({ before: { name, takenAt, takenBy } }: ImportedProps) => (
  <StaleBanner title={t('This file has already been imported. Nothing changes.')}>
    {t('{{name}}, {{at}}, by {{who}}', { name, at: formatDateTime(Date.parse(takenAt)), who: takenBy })}
  </StaleBanner>
)
