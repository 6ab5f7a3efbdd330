import { Switch } from '@mantine/core'
import { requireSecondFactor } from '@gridmast/contract/people/customer.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { useRenewUser, useUser } from '#lib/user.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'

/** Whether everyone at the company must sign in in two steps. Asked before it changes, both ways. */
export const SecondFactorPolicy = () => {
  const { secondFactorRequired: required } = useUser().customerId
  const renewUser = useRenewUser()
  const [asking, setAsking] = useState(false)
  const change = useDo(requireSecondFactor)
  const save = () =>
    change.mutate(
      { body: { required: !required } },
      {
        onSuccess: () =>
          renewUser((user) => ({ ...user, customerId: { ...user.customerId, secondFactorRequired: !required } })),
        onSettled: () => setAsking(false),
      },
    )
  return (
    <>
      <Switch
        withThumbIndicator={false}
        label={t('Require two-step sign-in for everyone')}
        description={t('Colleagues without it must set it up before they can continue.')}
        checked={required}
        onChange={() => setAsking(true)}
      />
      <ConfirmDialog
        opened={asking}
        title={required ? t('No longer require two-step sign-in?') : t('Require two-step sign-in for everyone?')}
        confirm={required ? t('No longer require') : t('Require')}
        sending={change.isPending}
        onConfirm={save}
        onClose={() => setAsking(false)}
      >
        {required
          ? t('Each person can then turn it off.')
          : t('Colleagues without it cannot continue until they have set up an authenticator app.')}
      </ConfirmDialog>
    </>
  )
}
