import { TextInput } from '@mantine/core'
import { updateProfile } from '@gridmast/contract/people/profile.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useCan, useRenewUser, useUser } from '#lib/user.tsx'
import { Actions, Fields, Wide, PasswordField, SubmitButton } from '#ui/FormParts.tsx'
import { CountryCodeField } from '#ui/phone/CountryCodeField.tsx'
import { UnsavedChanges } from '#ui/Dialog.tsx'
import { ConfirmEmailDialog } from './ConfirmEmailDialog.tsx'
import { PictureField } from './PictureField.tsx'

const valuesOf = ({ name, email, contact, countryCode }: User) => ({
  name,
  email,
  contact: contact ?? '',
  countryCode: countryCode ?? '',
  removeImage: false,
  currentPassword: '',
})

/** Edit Profile: what is answered shows in the header and the saved account at once. */
export const ProfileForm = ({ initials }: { initials: string }) => {
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
      take(saved)
    },
  })
  const { removeImage } = form.values
  const moves = form.values.email.trim().toLowerCase() !== user.email.toLowerCase()
  const take = (saved: User) => {
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
              initials={initials}
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
          {moves && (
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
          take(saved)
        }}
      />
    </>
  )
}
