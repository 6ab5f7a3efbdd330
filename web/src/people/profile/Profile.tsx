import { Actions, Fields, Wide, SubmitButton } from '#ui/FormParts.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { TextInput } from '@mantine/core'
import { confirmEmail, updateProfile } from '@gridmast/contract/people/profile.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useCan, useRenewUser, useUser } from '#lib/user.tsx'
import { initialsOf } from '#ui/Avatar.tsx'
import { Section, Sections } from '#ui/Page.tsx'
import { useCallForm } from '#lib/call-form.ts'
import { CountryCodeField } from '#ui/phone/CountryCodeField.tsx'
import { Dialog, UnsavedChanges } from '#ui/Dialog.tsx'
import { Note, Stack } from '#ui/Layout.tsx'
import { MutesForm } from './MutesForm.tsx'
import { PushDevices } from './PushDevices.tsx'
import { PictureField } from './PictureField.tsx'

const Profile = () => {
  const mayReadAlerts = useCan('alert.read')
  return (
    <Sections>
      <Section
        title={t('Your profile')}
        words={t('Contact details for colleagues and the operator. You also sign in with this email.')}
      >
        <ProfileForm />
      </Section>
      <Section
        title={t('Notifications on devices')}
        words={t('Alerts, activations and sold slots at risk, also while Gridmast is closed. Muted times apply.')}
      >
        <PushDevices />
      </Section>
      {mayReadAlerts && (
        <Section
          title={t('Muted times')}
          words={t('Daily times without notifications. Alerts are still listed and emailed.')}
        >
          <MutesForm />
        </Section>
      )}
    </Sections>
  )
}

const valuesOf = ({ name, email, contact, countryCode }: User) => ({
  name,
  email,
  contact: contact ?? '',
  countryCode: countryCode ?? '',
  removeImage: false,
  currentPassword: '',
})

export const ProfileForm = () => {
  const user = useUser()
  const renewUser = useRenewUser()
  const mayEdit = useCan('profile.edit')
  const [file, setFile] = useState<File | null>(null)
  const [toConfirm, setToConfirm] = useState<string | null>(null)
  const { form, field, formProps, sending, waitS } = useCallForm(updateProfile, {
    initial: valuesOf(user),
    request: { file },
    onDone: ({ user: saved, emailToConfirm }) => {
      setFile(null)
      setToConfirm(emailToConfirm)
      showSaved(saved)
    },
  })
  const { removeImage } = form.values
  const isNewEmail = form.values.email.trim().toLowerCase() !== user.email.toLowerCase()
  const showSaved = (saved: User) => {
    form.setInitialValues(valuesOf(saved))
    form.reset()
    renewUser(() => saved)
  }
  return (
    <>
      <form aria-label={t('Edit Profile')} {...formProps}>
        <UnsavedChanges unsaved={mayEdit && (form.isDirty() || file !== null)} />
        <Fields readOnlyReason={mayEdit ? null : t('Only Sudoer and Expert users can edit profiles.')}>
          <Wide>
            <PictureField
              image={removeImage ? null : user.profileImage}
              initials={initialsOf(user.name)}
              file={file}
              error={form.errors['profileImage']}
              onChoose={(chosen) => {
                form.clearFieldError('profileImage')
                form.setFieldValue('removeImage', false)
                setFile(chosen)
              }}
              onRefuse={(message) => form.setFieldError('profileImage', translateText(message))}
              onRemove={() => {
                form.clearFieldError('profileImage')
                form.setFieldValue('removeImage', user.profileImage !== null)
                setFile(null)
              }}
            />
          </Wide>
          <TextInput label={t('Name')} autoComplete="name" {...field('name')} />
          <TextInput label={t('Email')} type="email" autoComplete="email" {...field('email')} />
          {isNewEmail && (
            <PasswordField
              label={t('Current password')}
              description={t('Needed to change your email')}
              autoComplete="current-password"
              {...field('currentPassword')}
              withAsterisk
            />
          )}
          <CountryCodeField {...field('countryCode')} />
          <TextInput label={t('Contact')} type="tel" autoComplete="tel-national" {...field('contact')} />
        </Fields>
        {mayEdit && (
          <Actions>
            <SubmitButton sending={sending} waitS={waitS}>
              {t('Save changes')}
            </SubmitButton>
          </Actions>
        )}
      </form>
      <ConfirmEmailDialog
        email={toConfirm}
        onClose={() => setToConfirm(null)}
        onConfirmed={(saved) => {
          setToConfirm(null)
          showSaved(saved)
        }}
      />
    </>
  )
}

type ConfirmProps = { email: string | null; onClose: () => void; onConfirmed: (user: User) => void }

const ConfirmEmailDialog = ({ email, onClose, onConfirmed }: ConfirmProps) => (
  <Dialog opened={email !== null} onClose={onClose} title={t('Confirm your new email')}>
    <Note ink="ink2">
      {t('We have sent a code to {{email}}. Your email changes when you enter it.', { email: email ?? '' })}
    </Note>
    <Code onConfirmed={onConfirmed} />
  </Dialog>
)

const Code = ({ onConfirmed }: Pick<ConfirmProps, 'onConfirmed'>) => {
  const { field, formProps, sending, waitS } = useCallForm(confirmEmail, {
    initial: { code: '' },
    onDone: ({ user }) => onConfirmed(user),
  })
  return (
    <form aria-label={t('Confirm your new email')} {...formProps}>
      <Stack gap={14}>
        <TextInput
          label={t('One-time code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          {...field('code')}
        />
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Confirm')}
        </SubmitButton>
      </Stack>
    </form>
  )
}

export default Profile
