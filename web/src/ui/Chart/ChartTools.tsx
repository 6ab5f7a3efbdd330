import { ActionIcon } from '@mantine/core'
import { IconDots, IconDownload, IconPhotoDown, IconTable } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import type { FileExport } from '#lib/download.ts'
import { t, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import type { HelpName } from '#ui/Help.tsx'
import { Menu, MenuItem } from '#ui/Menu.tsx'
import { SendItem } from '#ui/SendItem.tsx'

const loadViews = () => withWords(import('#ui/Chart/views.tsx'), 'charts')
const ViewItems = part(async () => (await loadViews()).ViewItems)
const HelpItem = part(async () => (await withWords(import('#ui/Help.tsx'), 'help')).HelpItem)

type Props = {
  title: string
  inMenu: boolean
  help?: HelpName | undefined
  asTable: boolean
  onTable: () => void
  onPicture: () => void
  full: boolean
  onFull: (on: boolean) => void
  onDownload?: FileExport | undefined
  choices?: ReactNode
  /** A menu of files in the place of `onDownload`. */
  exports?: ReactNode
  actions?: ReactNode
}

export const ChartTools = (props: Props) => {
  const { title, inMenu, help, asTable, onTable, onPicture, full, onFull, onDownload, choices, exports, actions } =
    props
  const tableWords = asTable ? t('Show as chart') : t('Show as table')
  const downloads = onDownload && (
    <>
      <MenuItem icon={<IconDownload />} onClick={() => void onDownload('xlsx')}>
        {t('Download Excel')}
      </MenuItem>
      <MenuItem icon={<IconDownload />} onClick={() => void onDownload('csv')}>
        {t('Download CSV')}
      </MenuItem>
      <SendItem address={onDownload.address} hasIcon />
    </>
  )
  const views = (
    <>
      {actions}
      <Suspense>
        <ViewItems full={full} onFull={onFull} />
        {help && <HelpItem of={help} />}
      </Suspense>
    </>
  )
  const menu = (items: ReactNode) => (
    <Menu
      target={
        <ActionIcon
          aria-label={t('Tools of {{title}}', { title })}
          onPointerEnter={() => void loadViews()}
          data-export={inMenu ? onDownload?.address : undefined}
        >
          <IconDots size={16} stroke={1.8} />
        </ActionIcon>
      }
    >
      {items}
    </Menu>
  )
  if (inMenu)
    return (
      <>
        {exports}
        {menu(
          <>
            {choices}
            <MenuItem icon={<IconTable />} onClick={onTable}>
              {tableWords}
            </MenuItem>
            <MenuItem icon={<IconPhotoDown />} onClick={onPicture} disabled={asTable}>
              {t('Save picture')}
            </MenuItem>
            {downloads}
            {views}
          </>,
        )}
      </>
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
            <ActionIcon data-tip={t('Download')} aria-label={t('Download')} data-export={onDownload.address}>
              <IconDownload size={16} stroke={1.8} />
            </ActionIcon>
          }
        >
          {downloads}
        </Menu>
      )}
      {exports}
      {menu(views)}
    </>
  )
}
