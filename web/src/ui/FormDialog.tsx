import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#lib/i18n.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'

type Tools = { onUnsaved: (unsaved: boolean) => void; onCancel: () => void; onDone: () => void }

type Props<T> = {
  /** What is edited; nothing is open without it. */
  editing: T | null
  title: ReactNode
  size?: number
  /** It holds tables, and takes the whole screen of a phone. */
  large?: boolean
  onClose: () => void
  children: (editing: T, tools: Tools) => ReactNode
}

/** A form over the page; closed with unsaved changes, it asks first. */
export const FormDialog = <T,>({ editing, title, size = 560, large = false, onClose, children }: Props<T>) => {
  const { t } = useTranslation()
  const [unsaved, setUnsaved] = useState(false)
  const [asking, setAsking] = useState(false)
  const close = () => {
    // Before `onClose`: where the address says that the dialog is open, taking that out is no leaving of the page.
    flushSync(() => {
      setAsking(false)
      setUnsaved(false)
    })
    onClose()
  }
  // The question opens after the Escape that asks for it: every dialog hears that key, and an open one closes.
  const leave = () => (unsaved ? void setTimeout(() => setAsking(true)) : close())
  return (
    <Dialog opened={editing !== null} onClose={leave} closeOnEscape={!asking} size={size} large={large} title={title}>
      {editing !== null && (
        <>
          <UnsavedChanges unsaved={unsaved} />
          {children(editing, { onUnsaved: setUnsaved, onCancel: leave, onDone: close })}
        </>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('Leave without saving?')}
        confirm={t('Leave')}
        danger
        onConfirm={close}
        onClose={() => setAsking(false)}
      >
        {t('Your changes have not been saved.')}
      </ConfirmDialog>
    </Dialog>
  )
}
