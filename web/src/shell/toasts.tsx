import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import i18next from 'i18next'
import { connectToasts } from '#lib/toast.ts'

connectToasts(({ kind, message }, autoClose) =>
  notifications.show({
    message: i18next.t(message),
    autoClose,
    icon:
      kind === 'success' ? (
        <IconCircleCheck size={18} stroke={1.8} color="var(--gm-up)" />
      ) : (
        <IconAlertCircle size={18} stroke={1.8} color="var(--gm-down)" />
      ),
    closeButtonProps: { 'aria-label': i18next.t('Close') },
  }),
)
