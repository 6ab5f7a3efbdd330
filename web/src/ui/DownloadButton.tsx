import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Props = { onDownload: () => Promise<unknown>; icon: ReactNode; disabled?: boolean; children: ReactNode }

export const DownloadButton = ({ onDownload, icon, disabled = false, children }: Props) => {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await onDownload().finally(() => setBusy(false))
  }
  return (
    <Button variant="default" leftSection={icon} loading={busy} disabled={disabled} onClick={() => void run()}>
      {children}
    </Button>
  )
}
