import { TextInput } from '@mantine/core'
import { updateDetails } from '@gridmast/contract/people/customer.ts'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useCan, useRenewUser, useUser } from '#lib/user.tsx'
import { Actions, Fields, SubmitButton } from '#ui/FormParts.tsx'
import { CountryCodeField } from '#ui/phone/CountryCodeField.tsx'
import { UnsavedChanges } from '#ui/Dialog.tsx'

/** Whom to reach at the company. */
export const CompanyForm = () => {
  const { customerId: customer } = useUser()
  const renewUser = useRenewUser()
  const mayEdit = useCan('company.edit')
  const { form, field, formProps, sending, waitS } = useCallForm(updateDetails, {
    initial: customer.address,
    onDone: ({ address }) => {
      form.setInitialValues(address)
      form.reset()
      renewUser((user) => ({ ...user, customerId: { ...user.customerId, address } }))
    },
  })
  return (
    <form aria-label={t('Company profile')} {...formProps}>
      <UnsavedChanges unsaved={mayEdit && form.isDirty()} />
      <Fields readOnlyReason={mayEdit ? null : t('Only Sudoer and Expert users can edit the company profile.')}>
        <TextInput label={t('Primary contact name')} autoComplete="off" {...field('primaryContactName')} />
        <TextInput
          label={t('Primary contact email')}
          type="email"
          autoComplete="off"
          {...field('primaryContactEmail')}
        />
        <CountryCodeField {...field('countryCode')} />
        <TextInput label={t('Contact')} type="tel" autoComplete="off" {...field('contact')} />
        <TextInput label={t('Billing email')} type="email" autoComplete="off" {...field('billingEmail')} />
      </Fields>
      {mayEdit && (
        <Actions>
          <SubmitButton sending={sending} waitS={waitS}>
            {t('Save changes')}
          </SubmitButton>
        </Actions>
      )}
    </form>
  )
}
