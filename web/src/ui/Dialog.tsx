import { useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useBlocker } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { UnsavedGuard, useKeptPage } from '#lib/unsaved.ts'
import { ConfirmDialog, type DialogProps, PlainDialog } from './useConfirm.tsx'

/** Confirms leaving a page with unsaved changes, also when the window closes. */
export const UnsavedChanges = ({ unsaved }: { unsaved: boolean }) => {
  useKeptPage(unsaved)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => unsaved,
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title={t('Leave without saving?')}
      confirm={t('Leave')}
      cancel={t('Keep editing')}
      danger
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t('Your changes have not been saved.')}
    </ConfirmDialog>
  )
}

/** Confirms closing, and leaving the page, while a form has unsaved changes. */
export const Dialog = ({ children, onClose, closeOnEscape = true, ...props }: DialogProps) => {
  const forms = useRef(new Set<string>())
  const [unsaved, setUnsaved] = useState(false)
  const [leaving, setLeaving] = useState<(() => void) | null>(null)
  const report = useCallback((form: string, isUnsaved: boolean) => {
    if (isUnsaved) forms.current.add(form)
    else forms.current.delete(form)
    setUnsaved(forms.current.size > 0)
  }, [])
  // The confirmation opens after the Escape key event, which would close it too.
  const leave = useCallback((close: () => void) => {
    if (forms.current.size > 0) setTimeout(() => setLeaving(() => close))
    else close()
  }, [])
  const around = useMemo(() => ({ report, leave }), [report, leave])
  const confirm = () => {
    // In advance: when the URL opens the dialog, its removal is no leaving of the page.
    flushSync(() => {
      forms.current.clear()
      setUnsaved(false)
      setLeaving(null)
    })
    leaving?.()
  }
  return (
    <PlainDialog {...props} closeOnEscape={closeOnEscape && leaving === null} onClose={() => leave(onClose)}>
      <UnsavedGuard value={around}>{children}</UnsavedGuard>
      {unsaved && <UnsavedChanges unsaved />}
      <ConfirmDialog
        opened={leaving !== null}
        title={t('Leave without saving?')}
        confirm={t('Leave')}
        cancel={t('Keep editing')}
        danger
        onConfirm={confirm}
        onClose={() => setLeaving(null)}
      >
        {t('Your changes have not been saved.')}
      </ConfirmDialog>
    </PlainDialog>
  )
}
