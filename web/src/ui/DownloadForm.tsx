import { Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Watching } from '#lib/download.ts'
import { useTranslation } from '#lib/i18n.ts'
import { FormActions } from './FormActions.tsx'
import classes from './DownloadForm.module.css'

type Props = {
  /** Why this choice cannot be downloaded. */
  refusal?: string | null
  download: (watching: Watching) => Promise<unknown>
  /** What the file would hold. */
  amount?: string
  onClose: () => void
  children: ReactNode
}

/** What is chosen before a file is made, in a dialog that stays open for another. While it comes it says how much there is, and can be cancelled. */
export const DownloadForm = ({ refusal = null, download, amount, onClose, children }: Props) => {
  const { t } = useTranslation()
  const [bytes, setBytes] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const run = async () => {
    running.current = new AbortController()
    setBytes(0)
    await download({ signal: running.current.signal, onBytes: setBytes }).finally(() => setBytes(null))
  }
  const isBusy = bytes !== null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (refusal === null) void run()
      }}
    >
      <Stack gap={12}>
        {children}
        {refusal !== null && (
          <p role="alert" className={classes.refusal}>
            {refusal}
          </p>
        )}
      </Stack>
      <FormActions
        aside={
          <span className="gm-meta gm-num" role="status">
            {isBusy ? t('{{mb}} MB received', { mb: formatNumber(bytes / 1e6, { decimals: 1 }) }) : amount}
          </span>
        }
        cancel={isBusy ? t('Cancel') : t('Close')}
        onCancel={isBusy ? () => running.current?.abort() : onClose}
        sending={isBusy}
        disabled={refusal !== null}
        leftSection={<IconDownload stroke={1.8} />}
      >
        {t('Download')}
      </FormActions>
    </form>
  )
}
