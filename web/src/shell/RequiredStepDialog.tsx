import { Button, Modal } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import { t } from '#lib/i18n.ts'
import { SecondFactorSetup } from '#people/security/SecondFactorSetup.tsx'
import { UpdatePasswordForm } from '#people/security/UpdatePasswordForm.tsx'
import type { Due } from '#lib/user.tsx'
import classes from './Shell.module.css'
import { useLogout } from './useLogout.ts'

const dues = {
  password: { name: 'Update Password', sentence: m.passwordExpired },
  'second-factor': { name: 'Set up two-step sign-in', sentence: m.secondFactorDue },
} as const

/** A step that is due first; it cannot be dismissed, only submitted or left by logout. */
const RequiredStepDialog = ({ due, onDone }: { due: Due; onDone: () => void }) => {
  const logout = useLogout()
  const { name, sentence } = dues[due]
  const leave = (
    <Button variant="default" onClick={logout}>
      {t('Logout')}
    </Button>
  )
  return (
    <main className={classes.behind}>
      <Modal
        opened
        onClose={() => {}}
        title={t(name)}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <p className={classes.sentence} role="alert">
          {t(sentence)}
        </p>
        {due === 'password' ? (
          <UpdatePasswordForm actions={leave} />
        ) : (
          <SecondFactorSetup actions={leave} onDone={onDone} />
        )}
      </Modal>
    </main>
  )
}

export default RequiredStepDialog
