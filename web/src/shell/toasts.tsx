import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { translateText } from '#lib/i18n.ts'
import { connectToasts } from '#lib/toast.ts'

connectToasts(({ kind, message }, autoClose) =>
  notifications.show({
    message,
    autoClose,
    icon:
      kind === 'success' ? (
        <IconCircleCheck size={18} stroke={1.8} color="var(--gm-up)" />
      ) : (
        <IconAlertCircle size={18} stroke={1.8} color="var(--gm-down)" />
      ),
    closeButtonProps: { 'aria-label': translateText('Close') },
  }),
)
