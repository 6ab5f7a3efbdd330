import { useNavigate } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { forgetAccount } from '#lib/api.ts'
import { type SavedAccount, switchTo } from '#lib/session.ts'
import { ConfirmDialog } from '#ui/useConfirm.tsx'
import { closeLive } from '#lib/live.ts'

export const RemoveAccount = ({ account, onClose }: { account: SavedAccount | null; onClose: () => void }) => (
  <ConfirmDialog
    opened={account !== null}
    title={t('Remove this account?')}
    confirm={t('Remove')}
    danger
    onClose={onClose}
    onConfirm={() => {
      if (account) forgetAccount(account)
      onClose()
    }}
  >
    {t('{{email}} is signed out and removed from this device. The account itself is kept.', {
      email: account?.email ?? '',
    })}
  </ConfirmDialog>
)

export const useSwitchAccount = () => {
  const navigate = useNavigate()
  return (account: SavedAccount) => {
    closeLive()
    void navigate({ to: switchTo(account) ? '/' : '/auth/login' })
  }
}
