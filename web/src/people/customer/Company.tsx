import { Actions, Fields, SubmitButton } from '#ui/FormParts.tsx'
import { Switch, TextInput } from '@mantine/core'
import { requireSecondFactor, updateDetails } from '@gridmast/contract/people/customer.ts'
import { t } from '#lib/i18n.ts'
import { useCan, useRenewUser, useUser } from '#lib/user.tsx'
import { Section, Sections } from '#ui/Page.tsx'
import { useCallForm } from '#lib/call-form.ts'
import { CountryCodeField } from '#ui/phone/CountryCodeField.tsx'
import { UnsavedChanges } from '#ui/Dialog.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'

const Company = () => {
  const { customerId: customer } = useUser()
  const mayRequire = useCan('second-factor.require')
  return (
    <Sections>
      <Section title={customer.name} words={t('Who we contact about your sites, and where we send invoices.')}>
        <CompanyForm />
      </Section>
      {mayRequire && (
        <Section
          title={t('Sign-in')}
          words={t('A code from an authenticator app protects you if your password is stolen.')}
        >
          <SecondFactorPolicy />
        </Section>
      )}
    </Sections>
  )
}

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

export default Company
