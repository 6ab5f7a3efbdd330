import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { IconDots, IconDownload, IconPhotoDown, IconTable } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { saveFile } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import type { Palette } from './palette.ts'

const ViewItems = lazy(() => import('./ViewItems.tsx'))

const margin = 16
const headHeight = 40

export const savePicture = (canvas: HTMLCanvasElement, palette: Palette, title: string, foot: string, name: string) => {
  const ratio = canvas.width / canvas.clientWidth
  const picture = document.createElement('canvas')
  picture.width = canvas.width + 2 * margin * ratio
  picture.height = canvas.height + (headHeight + margin * 2) * ratio
  const context = picture.getContext('2d')
  if (!context) return
  context.scale(ratio, ratio)
  context.fillStyle = palette.card
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = palette.ink1
  context.font = "600 14px 'Inter Variable', Inter, sans-serif"
  context.fillText(title, margin, margin + 14)
  context.drawImage(canvas, margin, headHeight, canvas.clientWidth, canvas.clientHeight)
  context.fillStyle = palette.ink3
  context.font = "400 11px 'Inter Variable', Inter, sans-serif"
  context.fillText(foot, margin, picture.height / ratio - margin / 2)
  picture.toBlob((blob) => blob && saveFile(blob, `${name}.png`))
}

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
