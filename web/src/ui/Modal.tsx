import '#lib/zod.ts'
import '#ui/theme/mantine-pages.ts'
import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useDeferredValue } from 'react'

/** Loaded with the first dialog. Mantine returns the focus of a dialog only if it was mounted before it opened. */
const Modal = ({ opened, ...props }: ModalProps) => {
  const isMounted = useDeferredValue(true, false)
  return <MantineModal opened={isMounted && opened} {...props} />
}

export default Modal
