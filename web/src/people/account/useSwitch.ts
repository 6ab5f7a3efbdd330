import { useNavigate } from '@tanstack/react-router'
import { closeLive } from '#lib/live.ts'
import { switchTo, type SavedAccount } from '#lib/session.ts'

export const useSwitch = () => {
  const navigate = useNavigate()
  return (account: SavedAccount) => {
    closeLive()
    void navigate({ to: switchTo(account) ? '/' : '/auth/login' })
  }
}
