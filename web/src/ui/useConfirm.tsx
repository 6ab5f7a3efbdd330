import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { type ReactElement, type ReactNode, useState } from 'react'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Confirmation<C extends CallShape, Row> = {
  call: C
  sent: (row: Row) => Sent<C>
  title: string
  text: ReactNode | ((row: Row) => ReactNode)
  confirm: string
  /** Label of the other button; default `Cancel`. */
  cancel?: string
  danger?: boolean
  /** Runs before the dialog closes, to move the focus when the row is gone. */
  onDone?: (data: Data<C>) => void
}

/** A call after a confirmation: the function that opens the dialog for a row, and the dialog. */
export const useConfirm = <C extends CallShape, Row = void>(
  confirmation: Confirmation<C, Row>,
): [confirm: (row: Row) => void, dialog: ReactElement] => {
  const { call, sent, text, onDone, ...words } = confirmation
  const [target, setTarget] = useState<{ row: Row } | null>(null)
  const [opened, setOpened] = useState(false)
  const doing = useDo(call)
  const open = (row: Row) => {
    setTarget({ row })
    setOpened(true)
  }
  const close = () => setOpened(false)
  const send = () => target && doing.mutate(sent(target.row), { onSuccess: (data) => onDone?.(data), onSettled: close })
  const dialog = (
    <ConfirmDialog opened={opened} {...words} sending={doing.isPending} onConfirm={send} onClose={close}>
      {typeof text === 'function' ? target && text(target.row) : text}
    </ConfirmDialog>
  )
  return [open, dialog]
}
