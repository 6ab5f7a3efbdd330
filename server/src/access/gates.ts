import type { CallShape } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { refusal, type Refusal } from '@gridmast/contract/roles.ts'
import type { Viewer } from './viewer.ts'

const sentence: Record<Refusal, string> = {
  role: m.forbidden,
  allowed: m.notAuthorized,
  licence: m.licenseNotActive,
  feature: m.notAuthorized,
  scope: m.keyScope,
}

/** The refusal message, or null. The web reads the same declarations to show or hide. */
export const refuse = (viewer: Viewer, call: CallShape, isFile = false): string | null => {
  if (call.may === 'public') return null
  if (viewer.wall !== undefined && (!call.wall || isFile)) return m.wallRefused
  if (viewer.due && call.restricted !== true && call.restricted !== viewer.due)
    return viewer.due === 'password' ? m.passwordExpired : m.secondFactorDue
  // API keys are read-only, whatever their scopes; a wall screen may end its own session.
  if (viewer.scopes && viewer.wall === undefined && call.method !== 'GET') return m.keyScope
  const reason = refusal(viewer, call.may)
  return reason && sentence[reason]
}
