import { Button, FileButton, Group } from '@mantine/core'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { say, useTranslation } from '#lib/i18n.ts'
import { ErrorBanner } from './Banner.tsx'
import classes from './FileImport.module.css'

/** Parts of what is read from a file: it is chosen, checked, shown, and only then saved. */

const accepted = '.xlsx,.csv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type ChooseProps = {
  /** What the file should hold. */
  about: ReactNode
  /** One was chosen already. */
  again: boolean
  onFile: (file: File) => void
  onTemplate?: () => void
}

export const ChooseFile = ({ about, again, onFile, onTemplate }: ChooseProps) => {
  const { t } = useTranslation()
  return (
    <>
      <p className={classes.about}>{about}</p>
      <Group gap={8}>
        <FileButton accept={accepted} onChange={(file) => file && onFile(file)}>
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
}

type WaitProps = { words: string; onCancel: () => void }

/** A file is read and checked, which a large one takes seconds for. */
export const FileWait = ({ words, onCancel }: WaitProps) => {
  const { t } = useTranslation()
  const [sinceMs] = useState(Date.now)
  const seconds = Math.floor((useNow(1000) - sinceMs) / 1000)
  return (
    <div className={classes.summary}>
      <span role="status">{words}</span>
      {seconds >= 2 && <span className="gm-num">{t('{{seconds}} s so far', { seconds })}</span>}
      <Button variant="default" ml="auto" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}

type Refused = { message: string; errors: Record<string, string> }

/** Why nothing of a file can be taken. */
export const FileRefused = ({ error }: { error: Refused }) => {
  const { t } = useTranslation()
  return (
    <ErrorBanner title={t('The file could not be read.')}>
      {say(Object.values(error.errors)[0] ?? error.message)}
    </ErrorBanner>
  )
}

type SummaryProps = { name: string; counts: { words: string; count: number }[]; children?: ReactNode }

/** What is in a file, and what can be done with it. */
export const FileSummary = ({ name, counts, children }: SummaryProps) => (
  <div className={classes.summary} role="status">
    <b>{name}</b>
    {counts.map(({ words, count }) => (
      <span key={words}>
        <b className="gm-num">{count}</b> {words}
      </span>
    ))}
    {children && <span className={classes.actions}>{children}</span>}
  </div>
)

/** A value with what is wrong with it. */
export const Checked = ({ value, error }: { value: string; error: string | undefined }) => (
  <>
    {value || unknownText}
    {error && <small className={classes.wrong}>{say(error)}</small>}
  </>
)
