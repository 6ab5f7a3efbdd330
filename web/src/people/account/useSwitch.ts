import { useNavigate } from '@tanstack/react-router'
import { closeLive } from '#lib/live.ts'
import { switchTo, type SavedAccount } from '#lib/session.ts'

/** Goes on as another saved account, or to its sign-in where its session has ended. */
export const useSwitch = () => {
  const navigate = useNavigate()
  return (account: SavedAccount) => {
    closeLive()
    void navigate({ to: switchTo(account) ? '/' : '/auth/login' })
  }
}
