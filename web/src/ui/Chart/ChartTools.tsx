import { ActionIcon } from '@mantine/core'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { IconDots, IconDownload, IconPhotoDown, IconTable } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { saveFile } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import type { Palette } from './palette.ts'
import { Menu, MenuItem } from '#ui/Menu.tsx'

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
  onDownload?: ((format: FileFormat) => unknown) | undefined
  choices?: ReactNode
}

export const ChartTools = ({ title, inMenu, asTable, onTable, onPicture, onDownload, choices }: Props) => {
  const tableWords = asTable ? t('Show as chart') : t('Show as table')
  const downloads = onDownload && (
    <>
      <MenuItem icon={<IconDownload />} onClick={() => onDownload('xlsx')}>
        {t('Download Excel')}
      </MenuItem>
      <MenuItem icon={<IconDownload />} onClick={() => onDownload('csv')}>
        {t('Download CSV')}
      </MenuItem>
    </>
  )
  if (inMenu)
    return (
      <Menu
        target={
          <ActionIcon aria-label={t('Tools of {{title}}', { title })}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        }
      >
        {choices}
        <MenuItem icon={<IconTable />} onClick={onTable}>
          {tableWords}
        </MenuItem>
        <MenuItem icon={<IconPhotoDown />} onClick={onPicture} disabled={asTable}>
          {t('Save picture')}
        </MenuItem>
        {downloads}
      </Menu>
    )
  return (
    <>
      <ActionIcon data-tip={tableWords} aria-label={tableWords} aria-pressed={asTable} onClick={onTable}>
        <IconTable size={16} stroke={1.8} />
      </ActionIcon>
      <ActionIcon data-tip={t('Save picture')} aria-label={t('Save picture')} onClick={onPicture} disabled={asTable}>
        <IconPhotoDown size={16} stroke={1.8} />
      </ActionIcon>

      {downloads && (
        <Menu
          target={
            <ActionIcon data-tip={t('Download')} aria-label={t('Download')}>
              <IconDownload size={16} stroke={1.8} />
            </ActionIcon>
          }
        >
          {downloads}
        </Menu>
      )}
    </>
  )
}
