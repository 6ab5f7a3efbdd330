import { Modal, type ModalProps } from '@mantine/core'
import { usePhone } from '#lib/phone.ts'
import { t } from '#lib/i18n.ts'

export type DialogProps = Omit<ModalProps, 'closeButtonProps' | 'fullScreen'> & {
  /** Contains tables or charts; full screen on a phone. */
  large?: boolean
}

/** Fixed at its top edge: content that loads later extends it downwards. */
export const PlainDialog = ({ large = false, ...props }: DialogProps) => {
  const phone = usePhone()
  const isSmall = props.size === undefined || Number(props.size) <= 440
  return (
    <Modal
      fullScreen={large && phone}
      yOffset={isSmall ? '16dvh' : '5dvh'}
      closeButtonProps={{ 'aria-label': t('Close') }}
      {...props}
    />
  )
}
