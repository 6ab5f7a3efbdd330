import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { FormActions } from './FormParts.tsx'
import { Stack } from './Layout.tsx'
import classes from './DownloadForm.module.css'

type Props = {
  refusal?: string | null
  download: () => Promise<boolean>
  amount?: string
  onClose: () => void
  children: ReactNode
}

/** Options for a file, in a dialog that stays open for another. The browser shows the progress and can cancel it. */
export const DownloadForm = ({ refusal = null, download, amount, onClose, children }: Props) => {
  const [state, setState] = useState<'idle' | 'preparing' | 'started'>('idle')
  const run = async () => {
    setState('preparing')
    setState((await download()) ? 'started' : 'idle')
  }
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
            {state === 'started' ? t('The download has started') : amount}
          </span>
        }
        cancel={t('Close')}
        onCancel={onClose}
        sending={state === 'preparing'}
        disabled={refusal !== null}
        leftSection={<IconDownload stroke={1.8} />}
      >
        {t('Download')}
      </FormActions>
    </form>
  )
}
