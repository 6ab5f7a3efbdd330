import { type ReactNode, use, useCallback, useId } from 'react'
import { flushSync } from 'react-dom'
import { AroundForm } from '#lib/around-form.ts'
import { Dialog } from './Dialog.tsx'

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

/** A form over the page. */
export const FormDialog = <T,>({ editing, size = 560, onClose, children, ...props }: Props<T>) => (
  <Dialog opened={editing !== null} onClose={onClose} size={size} {...props}>
    {editing !== null && <Form onClose={onClose}>{(tools) => children(editing, tools)}</Form>}
  </Dialog>
)

const Form = ({ onClose, children }: { onClose: () => void; children: (tools: Tools) => ReactNode }) => {
  const { report, leave } = use(AroundForm)
  const id = useId()
  const onUnsaved = useCallback((isUnsaved: boolean) => report(id, isUnsaved), [report, id])
  const onDone = () => {
    flushSync(() => report(id, false))
    onClose()
  }
  return children({ onUnsaved, onCancel: () => leave(onClose), onDone })
}
