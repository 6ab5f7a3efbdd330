import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { PlainDialog } from './PlainDialog.tsx'

type Props = {
  opened: boolean
  title: string
  children: ReactNode
  confirm: string
  /** Label of the other button; default `Cancel`. */
  cancel?: string
  danger?: boolean
  sending?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** For actions that cannot be undone. */
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
