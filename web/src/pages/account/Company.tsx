import { useTranslation } from '#lib/i18n.ts'
import { CompanyForm } from '#features/customer/CompanyForm.tsx'
import { SecondFactorPolicy } from '#features/customer/SecondFactorPolicy.tsx'
import { useCan, useUser } from '#lib/user.tsx'
import { Section, Sections } from '#ui/Section.tsx'

const Company = () => {
  const { t } = useTranslation()
  const { customerId: customer } = useUser()
  const mayRequire = useCan('second-factor.require')
  return (
    <Sections>
      <Section
        title={customer.name}
        words={t('Whom the operator reaches about your sites, and where invoices are sent.')}
      >
        <CompanyForm />
      </Section>
      {mayRequire && (
        <Section
          title={t('Sign-in')}
          words={t('A code of an authenticator app after the password keeps a stolen password from being enough.')}
        >
          <SecondFactorPolicy />
        </Section>
      )}
    </Sections>
  )
}

export default Company
