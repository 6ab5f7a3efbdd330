import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '#lib/user.tsx'
import type { Gate } from './gate.ts'
import { useCurrentScreen } from './current-screen.ts'
import { RefusedPage } from './RefusedPage.tsx'

/** The server checks the calls in addition. */
export const Gated = ({ gate, children }: { gate: Gate; children: ReactNode }) => {
  const { place } = useCurrentScreen()
  const verdict = gate(useUser(), place)
  if (verdict === 'open') return children
  return typeof verdict === 'object' ? <Navigate to={verdict.redirect} replace /> : <RefusedPage reason={verdict} />
}
