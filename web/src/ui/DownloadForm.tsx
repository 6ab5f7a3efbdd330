import { Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { FormActions } from './FormActions.tsx'
import classes from './DownloadForm.module.css'

type Props = {
  /** Why this choice cannot be downloaded. */
  refusal?: string | null
  download: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** What is chosen before a file is made, in a dialog that stays open for another. */
export const DownloadForm = ({ refusal = null, download, onClose, children }: Props) => {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (refusal !== null) return
        setBusy(true)
        void download().finally(() => setBusy(false))
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
        cancel={t('Close')}
        onCancel={onClose}
        sending={busy}
        disabled={refusal !== null}
        leftSection={<IconDownload stroke={1.8} />}
      >
        {t('Download')}
      </FormActions>
    </form>
  )
}
