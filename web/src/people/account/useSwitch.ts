import { useNavigate } from '@tanstack/react-router'
import { closeLive } from '#lib/live.ts'
import { switchTo, type SavedAccount } from '#lib/session.ts'

/** Continues as a saved account, or at its sign-in after the end of its session. */
export const useSwitch = () => {
  const navigate = useNavigate()
  return (account: SavedAccount) => {
    closeLive()
    void navigate({ to: switchTo(account) ? '/' : '/auth/login' })
  }
}
