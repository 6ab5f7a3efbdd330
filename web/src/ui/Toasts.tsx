import { ActionIcon } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { connectToasts, type Toast } from '#lib/toast.ts'
import { TextButton } from './Layout.tsx'
import classes from './Toasts.module.css'

type ShownToast = Toast & { id: number; closeMs: number }

/** Later ones wait. */
const maxShown = 4

export const Toasts = () => {
  const layer = useRef<HTMLDivElement>(null)
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  useEffect(() => {
    let id = 0
    connectToasts((toast, closeMs) => setToasts((list) => [...list, { ...toast, closeMs, id: id++ }]))
  }, [])
  const newest = toasts.at(-1)?.id
  useLayoutEffect(() => {
    // Shown anew, it is above what has opened since.
    layer.current?.hidePopover()
    if (newest !== undefined) layer.current?.showPopover()
  }, [newest])
  return (
    <div ref={layer} popover="manual" className={classes.toasts}>
      {toasts.slice(0, maxShown).map((toast) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          onClose={() => setToasts((list) => list.filter(({ id }) => id !== toast.id))}
        />
      ))}
    </div>
  )
}

type Props = { toast: ShownToast; onClose: () => void }

/** Stays while the pointer or the focus is on it, unless its time to undo passes. */
const ToastCard = ({ toast: { kind, message, undo, closeMs }, onClose }: Props) => {
  const [held, setHeld] = useState(false)
  const close = useEffectEvent(onClose)
  const isKept = held && !undo
  useEffect(() => {
    if (isKept) return undefined
    const timer = setTimeout(close, closeMs)
    return () => clearTimeout(timer)
  }, [isKept, closeMs])
  const Icon = kind === 'success' ? IconCircleCheck : IconAlertCircle
  return (
    // The handlers only keep it on the screen.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="alert"
      className={classes.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} stroke={1.8} color={kind === 'success' ? 'var(--gm-up)' : 'var(--gm-down)'} aria-hidden />
      <span>{message}</span>
      {undo && (
        <TextButton
          strong
          onClick={() => {
            onClose()
            undo()
          }}
        >
          {t('Undo')}
        </TextButton>
      )}
      <ActionIcon size={22} aria-label={t('Close')} onClick={onClose}>
        <IconX size={15} stroke={1.8} />
      </ActionIcon>
    </div>
  )
}
