import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'

const Eye = ({ reveal }: { reveal: boolean }) =>
  reveal ? <IconEyeOff size={17} stroke={1.6} /> : <IconEye size={17} stroke={1.6} />

export const PasswordField = (props: PasswordInputProps & { autoComplete: 'current-password' | 'new-password' }) => (
  <PasswordInput
    visibilityToggleIcon={Eye}
    visibilityToggleButtonProps={{ 'aria-label': t('Show password'), tabIndex: 0 }}
    {...props}
  />
)
