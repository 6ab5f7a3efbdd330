import { useTranslation } from '#lib/i18n.ts'
import { ProfileForm } from '#features/profile/ProfileForm.tsx'
import { useUser } from '#lib/user.tsx'
import { initialsOf } from '#shell/initials.ts'
import { Section, Sections } from '#ui/Section.tsx'

const Profile = () => {
  const { t } = useTranslation()
  const { name } = useUser()
  return (
    <Sections>
      <Section
        title={t('Your profile')}
        words={t('How colleagues and the operator see and reach you. You also sign in with this email.')}
      >
        <ProfileForm initials={initialsOf(name)} />
      </Section>
    </Sections>
  )
}

export default Profile
