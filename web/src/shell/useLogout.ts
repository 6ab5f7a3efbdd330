import { logout, logoutAll } from '@gridmast/contract/people/auth.ts'
import { useNavigate } from '@tanstack/react-router'
import { closeLive } from '#lib/live.ts'
import { useDo } from '#lib/query.ts'
import { accountsStore, endAllSessions, endSession } from '#lib/session.ts'

/** Ends the session here even when the server fails. */
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

export const useLogoutAll = () => {
  const ending = useDo(logoutAll)
  const navigate = useNavigate()
  return () => {
    closeLive()
    const tokens = accountsStore.get().flatMap(({ token }) => token ?? [])
    ending.mutate(
      { body: { tokens: tokens.slice(0, 50) } },
      {
        onSettled: () => {
          endAllSessions()
          void navigate({ to: '/auth/login' })
        },
      },
    )
  }
}
