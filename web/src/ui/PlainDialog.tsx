import { Modal, type ModalProps } from '@mantine/core'
import { usePhone } from '#lib/phone.ts'
import { useTranslation } from '#lib/i18n.ts'

export type DialogProps = Omit<ModalProps, 'closeButtonProps' | 'fullScreen'> & {
  /** It holds tables or charts, and takes the whole screen of a phone. */
  large?: boolean
}

export const PlainDialog = ({ large = false, ...props }: DialogProps) => {
  const { t } = useTranslation()
  const phone = usePhone()
  return <Modal fullScreen={large && phone} closeButtonProps={{ 'aria-label': t('Close') }} {...props} />
}
