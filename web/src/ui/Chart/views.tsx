import { useEffect, useEffectEvent } from 'react'
import { IconLink, IconMaximize, IconMinimize } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { showToast } from '#lib/toast.ts'
import { MenuItem } from '#ui/Menu.tsx'
import { linkTo } from './range.ts'
import { useSharedRange } from './shared-range.ts'

type Props = { full: boolean; onFull: (on: boolean) => void }

/** Items of the menu of a chart about its view. */
export const ViewItems = ({ full, onFull }: Props) => {
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
      <MenuItem icon={<IconLink />} onClick={() => void copyLink()}>
        {t('Copy link to this view')}
      </MenuItem>
      <MenuItem icon={full ? <IconMinimize /> : <IconMaximize />} onClick={() => onFull(!full)}>
        {full ? t('Leave full screen') : t('Full screen')}
      </MenuItem>
    </>
  )
}

/**
 * Full screen while one card covers the window. The document and not the card is the full-screen element, because menus and toasts are outside
 * of the card; without full screen, as on an iPhone, the card covers the window only.
 */
export const FullScreen = ({ onLeave }: { onLeave: () => void }) => {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    const leaveWithBrowser = () => document.fullscreenElement ?? leave()
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) leave()
    }
    document.addEventListener('fullscreenchange', leaveWithBrowser)
    document.addEventListener('keydown', leaveByKey)
    void document.documentElement.requestFullscreen?.().catch(() => {})
    return () => {
      document.removeEventListener('fullscreenchange', leaveWithBrowser)
      document.removeEventListener('keydown', leaveByKey)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    }
  }, [])
  return null
}
