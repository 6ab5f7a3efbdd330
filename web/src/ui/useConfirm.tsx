import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { type ReactElement, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type ModalProps, Button, Group } from '@mantine/core'
import { t } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { usePhone } from '#lib/phone.ts'
import { useDo } from '#lib/query.ts'

export type DialogProps = Omit<ModalProps, 'closeButtonProps' | 'fullScreen'> & {
  large?: boolean
}

/** A click outside sooner after the opening belongs to the clicks that opened the dialog. */
export const clickSeriesMs = 500

const Modal = part(async () => (await import('./Modal.tsx')).default)

/** `frame`: for tests. */
type PlainProps = DialogProps & { frame?: typeof Modal }

/** Fixed at its top edge: content that loads later extends it downwards. */
export const PlainDialog = (dialog: PlainProps) => {
  const { large = false, closeOnClickOutside = true, frame: Frame = Modal, ...props } = dialog
  const phone = usePhone()
  const openedAtMs = useRef(0)
  const opener = useRef<Element>(null)
  useEffect(() => {
    if (!props.opened) return
    openedAtMs.current = performance.now()
    opener.current = document.activeElement
  }, [props.opened])
  const clickOutside = () => {
    if (closeOnClickOutside && performance.now() - openedAtMs.current > clickSeriesMs) props.onClose()
  }
  const isSmall = props.size === undefined || Number(props.size) <= 440
  const [wasOpened, setWasOpened] = useState(props.opened)
  if (props.opened && !wasOpened) setWasOpened(true)
  return (
    wasOpened && (
      <Suspense>
        <Frame
          opener={opener}
          fullScreen={large && phone}
          yOffset={isSmall ? '16dvh' : '5dvh'}
          closeButtonProps={{ 'aria-label': t('Close') }}
          closeOnClickOutside={false}
          overlayProps={{ onClick: clickOutside }}
          {...props}
        />
      </Suspense>
    )
  )
}

type Props = {
  opened: boolean
  title: string
  children: ReactNode
  confirm: string
  cancel?: string
  danger?: boolean
  sending?: boolean
  onConfirm: () => void
  onClose: () => void
}

export const ConfirmDialog = (props: Props) => {
  const { opened, title, children, confirm, cancel, danger, sending, onConfirm, onClose } = props
  return (
    <PlainDialog opened={opened} onClose={onClose} title={title}>
      <div>{children}</div>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel ?? t('Cancel')}
        </Button>
        <Button {...(danger ? { color: 'red' } : {})} loading={sending ?? false} onClick={() => opened && onConfirm()}>
          {confirm}
        </Button>
      </Group>
    </PlainDialog>
  )
}

type Confirmation<C extends CallShape, Row> = {
  call: C
  sent: (row: Row) => Sent<C>
  title: string
  text: ReactNode | ((row: Row) => ReactNode)
  confirm: string
  cancel?: string
  danger?: boolean
  /** Runs before the dialog closes, to move the focus when the row is gone. */
  onDone?: (data: Data<C>) => void
}

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
