import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { IconDots, IconDownload, IconPhotoDown, IconTable } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { t } from '#lib/i18n.ts'

const ViewItems = lazy(async () => ({ default: (await import('./views.tsx')).ViewItems }))

type Props = {
  title: string
  inMenu: boolean
  asTable: boolean
  onTable: () => void
  onPicture: () => void
  full: boolean
  onFull: (on: boolean) => void
  onDownload?: ((format: FileFormat) => unknown) | undefined
  choices?: ReactNode
  actions?: ReactNode
}

export const ChartTools = (props: Props) => {
  const { title, inMenu, asTable, onTable, onPicture, full, onFull, onDownload, choices, actions } = props
  const tableWords = asTable ? t('Show as chart') : t('Show as table')
  const downloads = onDownload && (
    <>
      <Menu.Item leftSection={<IconDownload />} onClick={() => onDownload('xlsx')}>
        {t('Download Excel')}
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload />} onClick={() => onDownload('csv')}>
        {t('Download CSV')}
      </Menu.Item>
    </>
  )
  const views = (
    <Suspense>
      {actions}
      <ViewItems full={full} onFull={onFull} />
    </Suspense>
  )
  const menu = (items: ReactNode) => (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('Tools of {{title}}', { title })}>
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{items}</Menu.Dropdown>
    </Menu>
  )
  if (inMenu)
    return menu(
      <>
        {choices}
        <Menu.Item leftSection={<IconTable />} onClick={onTable}>
          {tableWords}
        </Menu.Item>
        <Menu.Item leftSection={<IconPhotoDown />} onClick={onPicture} disabled={asTable}>
          {t('Save picture')}
        </Menu.Item>
        {downloads}
        {views}
      </>,
    )
  return (
    <>
      <Tooltip label={tableWords}>
        <ActionIcon aria-label={tableWords} aria-pressed={asTable} onClick={onTable}>
          <IconTable size={16} stroke={1.8} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('Save picture')}>
        <ActionIcon aria-label={t('Save picture')} onClick={onPicture} disabled={asTable}>
          <IconPhotoDown size={16} stroke={1.8} />
        </ActionIcon>
      </Tooltip>
      {downloads && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Tooltip label={t('Download')}>
              <ActionIcon aria-label={t('Download')}>
                <IconDownload size={16} stroke={1.8} />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>{downloads}</Menu.Dropdown>
        </Menu>
      )}
      {menu(views)}
    </>
  )
}
