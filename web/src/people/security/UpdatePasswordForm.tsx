import { SubmitButton } from '#ui/FormParts.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { Checkbox } from '@mantine/core'
import { updatePassword } from '@gridmast/contract/people/profile.ts'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { replaceToken } from '#lib/session.ts'
import { useCan, useUser } from '#lib/user.tsx'
import classes from './security.module.css'

/** All other sessions of the user end; this one continues with the answered token. */
export const UpdatePasswordForm = ({ actions, onDone }: { actions?: ReactNode; onDone?: () => void }) => {
  const { email } = useUser()
  const hasKeys = useCan('api-key.manage')
  const { form, field, formProps, sending, waitS } = useCallForm(updatePassword, {
    initial: { currentPassword: '', newPassword: '', confirmNewPassword: '', revokeApiKeys: false },
    onDone: ({ token }) => {
      onDone?.()
      replaceToken(token)
    },
  })
  return (
    <form className={classes.form} aria-label={t('Update Password')} {...formProps}>
      {/* Tells password managers whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={t('Current password')} autoComplete="current-password" {...field('currentPassword')} />
      <PasswordField
        label={t('New password')}
        description={t('8 to 40 characters')}
        autoComplete="new-password"
        {...field('newPassword')}
      />
      <PasswordField label={t('Confirm new password')} autoComplete="new-password" {...field('confirmNewPassword')} />
      {hasKeys && (
        <Checkbox
          label={t('Revoke my API keys too')}
          description={t('Choose this if someone else may know your password.')}
          {...form.getInputProps('revokeApiKeys', { type: 'checkbox' })}
        />
      )}
      <div className={classes.actions}>
        {actions}
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Update Password')}
        </SubmitButton>
      </div>
    </form>
  )
}
