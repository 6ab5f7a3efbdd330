import { PasswordInput, TextInput } from '@mantine/core'
import { paymentAccount, savePaymentAccount } from '@gridmast/contract/charging/payments.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { CallFormDialog } from '#ui/CallForm.tsx'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Note } from '#ui/Layout.tsx'

type Props = { opened: boolean; onClose: () => void }

/** The company's own sales unit at MobilePay. */
export const AccountDialog = ({ opened, onClose }: Props) => {
  const read = useCall(paymentAccount, { enabled: opened })
  const account = read.data?.account ?? null
  const keep = account ? { description: t('Leave blank to keep') } : {}
  return (
    <CallFormDialog
      title={t('Sales unit')}
      submit={t('Save changes')}
      call={savePaymentAccount}
      initial={
        opened && read.data
          ? {
              merchantSerialNumber: account?.merchantSerialNumber ?? '',
              clientId: account?.clientId ?? '',
              clientSecret: '',
              subscriptionKey: '',
              reserve: account?.reserve ?? '250',
            }
          : null
      }
      onClose={onClose}
    >
      {({ field, decimal }) => (
        <>
          <Note>
            {t(
              'The keys are on portal.vippsmobilepay.com under For developers. They are stored encrypted and not shown again.',
            )}
          </Note>
          {account && !account.isTold && (
            <Note ink="warn">{t('MobilePay sends no notices to this portal; it is queried every minute.')}</Note>
          )}
          <TextInput
            label={t('Merchant serial number')}
            inputMode="numeric"
            autoComplete="off"
            data-autofocus
            {...field('merchantSerialNumber')}
          />
          <TextInput label={t('Client ID')} autoComplete="off" spellCheck={false} {...field('clientId')} />
          {/* The schema allows them to be empty; the server refuses that where none is stored. */}
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
            description={t('Maximum captured per session')}
            unit="DKK"
            decimals={2}
            {...decimal('reserve')}
          />
        </>
      )}
    </CallFormDialog>
  )
}
