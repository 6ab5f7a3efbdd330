import { t } from '#lib/i18n.ts'
import { CompanyForm } from '#people/customer/CompanyForm.tsx'
import { SecondFactorPolicy } from '#people/customer/SecondFactorPolicy.tsx'
import { useCan, useUser } from '#lib/user.tsx'
import { Section, Sections } from '#ui/Page.tsx'

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

export default Company
