import '#lib/zod.ts'
import '#ui/theme/mantine-pages.ts'
import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { type RefObject, useDeferredValue, useEffect, useEffectEvent } from 'react'
import { focusOpener } from './late-dialog.tsx'

type Props = ModalProps & { opener: RefObject<Element | null> }

/** Loaded with the first dialog. Mantine returns the focus of a dialog only if it was mounted before it opened. */
const Modal = ({ opened, opener, ...props }: Props) => {
  const isMounted = useDeferredValue(true, false)
  const arrive = useEffectEvent(() => opened && focusOpener(opener.current))
  // Before Mantine stores what has the focus: this file may have arrived after the next Tab.
  useEffect(() => void arrive(), [])
  return <MantineModal opened={isMounted && opened} {...props} />
}

export default Modal
