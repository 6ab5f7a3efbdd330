import { Modal, type ModalProps } from '@mantine/core'
import { usePhone } from '#lib/phone.ts'
import { useTranslation } from '#lib/i18n.ts'

type Props = Omit<ModalProps, 'closeButtonProps' | 'fullScreen'> & {
  /** It holds tables or charts, and takes the whole screen of a phone. */
  large?: boolean
}

export const Dialog = ({ large = false, ...props }: Props) => {
  const { t } = useTranslation()
  const phone = usePhone()
  return <Modal fullScreen={large && phone} closeButtonProps={{ 'aria-label': t('Close') }} {...props} />
}
