import { t } from '#lib/i18n.ts'
import { MutesForm } from '#people/profile/MutesForm.tsx'
import { ProfileForm } from '#people/profile/ProfileForm.tsx'
import { useCan, useUser } from '#lib/user.tsx'
import { initialsOf } from '#ui/Avatar.tsx'
import { Section, Sections } from '#ui/Page.tsx'

const Profile = () => {
  const { name } = useUser()
  const mayHearBell = useCan('alert.read')
  return (
    <Sections>
      <Section
        title={t('Your profile')}
        words={t('How colleagues and the operator see and reach you. You also sign in with this email.')}
      >
        <ProfileForm initials={initialsOf(name)} />
      </Section>
      {mayHearBell && (
        <Section
          title={t('Muted times')}
          words={t('Times of each day in which your bell stays still. Alerts are listed and mailed all the same.')}
        >
          <MutesForm />
        </Section>
      )}
    </Sections>
  )
}

export default Profile
