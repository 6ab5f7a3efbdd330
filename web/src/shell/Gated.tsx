import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '#lib/user.tsx'
import type { Gate } from './entries.ts'
import { NotAuthorizedPage } from './NotAuthorizedPage.tsx'

/** Shows a page to those who may see it; the server refuses its calls to all others anyway. */
export const Gated = ({ gate, children }: { gate: Gate; children: ReactNode }) => {
  const answer = gate(useUser())
  if (answer === true) return children
  return answer === 'not authorized' ? <NotAuthorizedPage /> : <Navigate to={answer.redirect} replace />
}
