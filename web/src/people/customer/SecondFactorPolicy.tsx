import { Switch } from '@mantine/core'
import { requireSecondFactor } from '@gridmast/contract/people/customer.ts'
import { t } from '#lib/i18n.ts'
import { useRenewUser, useUser } from '#lib/user.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'

/** Whether everyone at the company must sign in in two steps. Each change is confirmed first. */
export const SecondFactorPolicy = () => {
  const { secondFactorRequired: required } = useUser().customerId
  const renewUser = useRenewUser()
  const [change, changeDialog] = useConfirm({
    call: requireSecondFactor,
    sent: () => ({ body: { required: !required } }),
    title: required ? t('No longer require two-step sign-in?') : t('Require two-step sign-in for everyone?'),
    text: required
      ? t('Each person can then turn it off.')
      : t('Colleagues without it cannot continue until they have set up an authenticator app.'),
    confirm: required ? t('No longer require') : t('Require'),
    onDone: () =>
      renewUser((user) => ({ ...user, customerId: { ...user.customerId, secondFactorRequired: !required } })),
  })
  return (
    <>
      <Switch
        withThumbIndicator={false}
        label={t('Require two-step sign-in for everyone')}
        description={t('Colleagues without it must set it up before they can continue.')}
        checked={required}
        onChange={() => change()}
      />
      {changeDialog}
    </>
  )
}
