import { ActionIcon, Button, Menu } from '@mantine/core'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'

type DownloadButtonProps = {
  onDownload: () => Promise<unknown>
  icon: ReactNode
  disabled?: boolean
  children: ReactNode
}

export const DownloadButton = ({ onDownload, icon, disabled = false, children }: DownloadButtonProps) => {
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

type Props = {
  onExport: (format: FileFormat) => Promise<unknown>
  disabled?: boolean
  label?: string
  small?: boolean
  children?: ReactNode
}

export const ExportButton = ({ onExport, disabled = false, label, small = false, children }: Props) => {
  const [busy, setBusy] = useState(false)
  const run = async (format: FileFormat) => {
    setBusy(true)
    await onExport(format).finally(() => setBusy(false))
  }
  const words = label ?? t('Export')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        {small ? (
          <ActionIcon aria-label={words} loading={busy} disabled={disabled}>
            <IconDownload size={16} stroke={1.8} />
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={<IconDownload stroke={1.8} />} loading={busy} disabled={disabled}>
            {words}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('xlsx')}>{t('Download Excel')}</Menu.Item>
        <Menu.Item onClick={() => void run('csv')}>{t('Download CSV')}</Menu.Item>
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
