import { Skeleton } from '@mantine/core'
import { Suspense, lazy } from 'react'
import { t } from '#lib/i18n.ts'
import { FormDialog } from '#ui/FormDialog.tsx'

const UpdatePasswordForm = lazy(async () => ({
  default: (await import('#people/profile/UpdatePasswordForm.tsx')).UpdatePasswordForm,
}))

/** Update Password of the profile menu. */
export const PasswordDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <FormDialog editing={opened || null} size={440} onClose={onClose} title={t('Update Password')}>
    {(_, { onDone }) => (
      <Suspense fallback={<Skeleton height={236} animate={false} />}>
        <UpdatePasswordForm onDone={onDone} />
      </Suspense>
    )}
  </FormDialog>
)
