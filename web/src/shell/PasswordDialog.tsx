import { Suspense } from 'react'
import { t, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Waiting } from '#ui/Loaded.tsx'

const UpdatePasswordForm = part(
  async () => (await withWords(import('#people/security/UpdatePasswordForm.tsx'), 'security')).UpdatePasswordForm,
)

export const PasswordDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title={t('Update Password')}>
    <Suspense fallback={<Waiting height={236} />}>
      <UpdatePasswordForm onDone={onClose} />
    </Suspense>
  </Dialog>
)
