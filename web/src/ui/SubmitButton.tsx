import { Button, type ButtonProps } from '@mantine/core'
import { t } from '#lib/i18n.ts'

type Props = ButtonProps & { sending: boolean; waitS: number; children: string }

/** After too many attempts it shows the remaining wait. */
export const SubmitButton = ({ sending, waitS, disabled, children, ...props }: Props) => (
  <Button type="submit" loading={sending} disabled={waitS > 0 || disabled} {...props}>
    {waitS > 0 ? t('Try again in {{seconds}} s', { seconds: waitS }) : children}
  </Button>
)
