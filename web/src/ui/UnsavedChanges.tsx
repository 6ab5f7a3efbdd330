import { useBlocker } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { useKeptPage } from '#lib/kept-page.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

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
      danger
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t('Your changes have not been saved.')}
    </ConfirmDialog>
  )
}
