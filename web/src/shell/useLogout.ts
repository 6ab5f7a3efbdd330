import type { CallShape, Sent } from '@gridmast/contract/call.ts'
import { logout, logoutAll } from '@gridmast/contract/people/auth.ts'
import { useNavigate } from '@tanstack/react-router'
import { closeLive } from '#lib/live.ts'
import { useDo } from '#lib/query.ts'
import { accountsStore, beforeSessionEnd, endAllSessions, endSession } from '#lib/session.ts'

/** Ends the session here even when the server fails. */
const useSessionEnd = <C extends CallShape>(call: C, endHere: () => void) => {
  const { mutate } = useDo(call)
  const navigate = useNavigate()
  return async (sent: Sent<C>) => {
    closeLive()
    await Promise.allSettled([...beforeSessionEnd].map((finish) => finish()))
    mutate(sent, {
      onSettled: () => {
        endHere()
        void navigate({ to: '/auth/login' })
      },
    })
  }
}

export const useLogout = () => {
  const end = useSessionEnd(logout, endSession)
  return () => void end({})
}

export const useLogoutAll = () => {
  const end = useSessionEnd(logoutAll, endAllSessions)
  return () => {
    const tokens = accountsStore.get().flatMap(({ token }) => token ?? [])
    void end({ body: { tokens: tokens.slice(0, 50) } })
  }
}
