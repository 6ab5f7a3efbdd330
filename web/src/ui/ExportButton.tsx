import { Button, Menu } from '@mantine/core'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'

/** Downloads a table as Excel or CSV; waits visibly while the file is made. */
export const ExportButton = ({
  onExport,
  disabled,
}: {
  onExport: (format: FileFormat) => Promise<void>
  disabled?: boolean
}) => {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const run = async (format: FileFormat) => {
    setBusy(true)
    await onExport(format).finally(() => setBusy(false))
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload stroke={1.8} />}
          loading={busy}
          disabled={disabled ?? false}
        >
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('xlsx')}>{t('Download Excel')}</Menu.Item>
        <Menu.Item onClick={() => void run('csv')}>{t('Download CSV')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
