import { PasswordInput, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { paymentAccount, savePaymentAccount } from '@gridmast/contract/charging/payments.ts'
import { useEffect } from 'react'
import { useCallForm } from '#lib/call-form.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { FormActions } from '#ui/FormActions.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Note, Stack } from '#ui/Layout.tsx'

type Account = Data<typeof paymentAccount>['account']
type Props = { opened: boolean; onClose: () => void }

/** The company's own sales unit at MobilePay. */
export const AccountDialog = ({ opened, onClose }: Props) => {
  const read = useCall(paymentAccount, { enabled: opened })
  return (
    <FormDialog editing={opened && read.data ? read.data : null} title={t('Sales unit')} onClose={onClose}>
      {({ account }, tools) => <AccountForm account={account} {...tools} />}
    </FormDialog>
  )
}

type FormProps = {
  account: Account
  onUnsaved: (unsaved: boolean) => void
  onCancel: () => void
  onDone: () => void
}

const AccountForm = ({ account, onUnsaved, onCancel, onDone }: FormProps) => {
  const { form, field, submit, sending, waitS } = useCallForm(savePaymentAccount, {
    initial: {
      merchantSerialNumber: account?.merchantSerialNumber ?? '',
      clientId: account?.clientId ?? '',
      clientSecret: '',
      subscriptionKey: '',
      reserve: account?.reserve ?? '250',
    },
    fields: ['merchantSerialNumber', 'clientId', 'clientSecret', 'subscriptionKey', 'reserve'],
    onDone,
  })
  const unsaved = form.isDirty()
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const keep = account ? { description: t('Leave blank to keep') } : {}
  return (
    <form noValidate aria-label={t('Sales unit')} onSubmit={submit}>
      <Stack gap={16}>
        <Note>
          {t('The keys are on portal.vippsmobilepay.com under For developers. They are sealed and never shown again.')}
        </Note>
        {account && !account.isTold && (
          <Note ink="warn">
            {t('MobilePay does not tell this portal of changes by itself, so it is asked each minute.')}
          </Note>
        )}
        <TextInput
          label={t('Merchant serial number')}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
          {...field('merchantSerialNumber')}
        />
        <TextInput label={t('Client ID')} autoComplete="off" spellCheck={false} {...field('clientId')} />
        <PasswordInput
          label={t('Client secret')}
          autoComplete="new-password"
          {...keep}
          {...field('clientSecret')}
          withAsterisk={!account}
        />
        <PasswordInput
          label={t('Subscription key')}
          autoComplete="new-password"
          {...keep}
          {...field('subscriptionKey')}
          withAsterisk={!account}
        />
        <DecimalField
          label={t('Reserved before a session')}
          description={t('No more than this is ever taken for a session')}
          unit="DKK"
          decimals={2}
          initial={form.values.reserve}
          {...field('reserve')}
          onChange={(decimal) => form.setFieldValue('reserve', decimal ?? '')}
        />
      </Stack>
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        {t('Save changes')}
      </FormActions>
    </form>
  )
}
