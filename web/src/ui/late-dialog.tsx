import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { showToast } from '#lib/toast.ts'

/** For the dialog that it opened, whose file arrived late. An entry of a menu is removed with its menu. */
export const focusOpener = (opener: Element | null) => {
  if (opener instanceof HTMLElement && !opener.closest('[role="menu"]')) opener.focus({ preventScroll: true })
}

/**
 * A dialog whose file is loaded when it first opens; without the file it closes with a message, and the page keeps what was typed. The focus
 * returns to the opener, which is focused before Mantine stores it.
 */
export const lateDialog =
  <P extends { onClose: () => void }>(
    load: () => Promise<ComponentType<P>>,
    isOpen: (props: P) => boolean,
  ): ComponentType<P> =>
  (props) => {
    const [Dialog, setDialog] = useState<ComponentType<P> | null>(null)
    const isWanted = !Dialog && isOpen(props)
    const fail = useEffectEvent(() => {
      showToast({ kind: 'error', message: t('The dialog could not be loaded. Reload the page.') })
      props.onClose()
    })
    useEffect(() => {
      if (!isWanted) return undefined
      let isShown = true
      const opener = document.activeElement
      load().then(
        (loaded) => {
          if (isShown) focusOpener(opener)
          setDialog(() => loaded)
        },
        () => isShown && fail(),
      )
      return () => {
        isShown = false
      }
    }, [isWanted])
    return Dialog && <Dialog {...props} />
  }
