import { logout } from '@gridmast/contract/auth.ts'
import { useNavigate } from '@tanstack/react-router'
import { closeLive } from '#lib/live.ts'
import { useDo } from '#lib/query.ts'
import { endSession } from '#lib/session.ts'

/** Ends the session on the server; here it ends whatever the server says. */
export const useLogout = () => {
  const ending = useDo(logout)
  const navigate = useNavigate()
  return () => {
    closeLive()
    ending.mutate(
      {},
      {
        onSettled: () => {
          endSession()
          void navigate({ to: '/auth/login' })
        },
      },
    )
  }
}
