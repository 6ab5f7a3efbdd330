import { formatDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { SecondFactorPanel } from '#people/profile/SecondFactorPanel.tsx'
import { UpdatePasswordForm } from '#people/profile/UpdatePasswordForm.tsx'
import { SessionList } from '#people/sessions/SessionList.tsx'
import { useUser } from '#lib/user.tsx'
import { Section, Sections } from '#ui/Page.tsx'
import classes from './Security.module.css'

const Security = () => {
  const { passwordUpdatedOn } = useUser()
  return (
    <Sections>
      <Section
        title={t('Password')}
        words={
          <>
            {t('Changed {{date}}.', { date: formatDate(Date.parse(passwordUpdatedOn)) })}{' '}
            {t('A new password ends your other sessions.')}
          </>
        }
      >
        <div className={classes.narrow}>
          <UpdatePasswordForm />
        </div>
      </Section>
      <Section
        title={t('Two-step sign-in')}
        words={t('A code from an authenticator app protects you if your password is stolen.')}
      >
        <SecondFactorPanel />
      </Section>
      <Section
        title={t('Sessions')}
        words={t('Where you are signed in. Sign out any device you do not recognise.')}
        bare
      >
        <SessionList />
      </Section>
    </Sections>
  )
}

export default Security
