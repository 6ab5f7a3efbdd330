import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { FileExport } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { Menu, MenuItem } from './Menu.tsx'
import { SendItem } from './SendItem.tsx'

type DownloadButtonProps = {
  onDownload: () => Promise<unknown>
  icon: ReactNode
  disabled?: boolean
  children: ReactNode
}

const useBusy = () => {
  const [busy, setBusy] = useState(false)
  const run = async (work: Promise<unknown>) => {
    setBusy(true)
    await work.finally(() => setBusy(false))
  }
  return [busy, run] as const
}

export const DownloadButton = ({ onDownload, icon, disabled = false, children }: DownloadButtonProps) => {
  const [busy, run] = useBusy()
  return (
    <Button
      variant="default"
      leftSection={icon}
      loading={busy}
      disabled={disabled}
      onClick={() => void run(onDownload())}
    >
      {children}
    </Button>
  )
}

type Props = {
  onExport: FileExport
  disabled?: boolean
  label?: string
  small?: boolean
  children?: ReactNode
}

export const ExportButton = ({ onExport, disabled = false, label, small = false, children }: Props) => {
  const [busy, run] = useBusy()
  const words = label ?? t('Export')
  return (
    <Menu
      target={
        small ? (
          <ActionIcon aria-label={words} loading={busy} disabled={disabled} data-export={onExport.address}>
            <IconDownload size={16} stroke={1.8} />
          </ActionIcon>
        ) : (
          <Button
            variant="default"
            leftSection={<IconDownload stroke={1.8} />}
            loading={busy}
            disabled={disabled}
            data-export={onExport.address}
          >
            {words}
          </Button>
        )
      }
    >
      <MenuItem onClick={() => void run(onExport('xlsx'))}>{t('Download Excel')}</MenuItem>
      <MenuItem onClick={() => void run(onExport('csv'))}>{t('Download CSV')}</MenuItem>
      {children}
      <SendItem address={onExport.address} />
    </Menu>
  )
}
