import { Menu } from '@mantine/core'
import { IconLink, IconMaximize, IconMinimize } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { showToast } from '#lib/toast.ts'
import { linkTo, useSharedRange } from './shared-range.ts'

type Props = { full: boolean; onFull: (on: boolean) => void }

/** Items of the menu of a chart about its view. */
const ViewItems = ({ full, onFull }: Props) => {
  const shared = useSharedRange()
  const copyLink = async () => {
    try {
      // Undefined on a page without TLS.
      await navigator.clipboard.writeText(linkTo(location.href, shared))
      showToast({ kind: 'success', message: t('Link copied') })
    } catch {
      showToast({ kind: 'error', message: t('The browser did not allow the copy.') })
    }
  }
  return (
    <>
      <Menu.Item leftSection={<IconLink />} onClick={() => void copyLink()}>
        {t('Copy link to this view')}
      </Menu.Item>
      <Menu.Item leftSection={full ? <IconMinimize /> : <IconMaximize />} onClick={() => onFull(!full)}>
        {full ? t('Leave full screen') : t('Full screen')}
      </Menu.Item>
    </>
  )
}

export default ViewItems
