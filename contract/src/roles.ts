/** Roles and capabilities, enforced by the server and read by the web. Source: specification texts 1-3, section 6 of each. */

export const portalRoles = ['sudoer', 'expert', 'auditor', 'custom'] as const
export const adminRoles = ['admin', 'sub-admin', 'root', 'root-developer', 'root-admin', 'enabler'] as const
export const roles = [...portalRoles, ...adminRoles] as const

export type PortalRole = (typeof portalRoles)[number]
export type Role = (typeof roles)[number]

export const isAdminRole = (role: Role): boolean => (adminRoles as readonly Role[]).includes(role)

export const roleNames = {
  sudoer: 'Sudoer',
  expert: 'Expert',
  auditor: 'Auditor',
  custom: 'Custom',
  admin: 'Admin',
  'sub-admin': 'Sub-admin',
  root: 'Root',
  'root-developer': 'Root developer',
  'root-admin': 'Root admin',
  enabler: 'Enabler',
} as const satisfies Record<Role, string>

const privileged = ['sudoer', 'expert'] as const satisfies readonly PortalRole[]
const everyone = portalRoles

export type Gate = {
  roles: readonly PortalRole[]
  licence?: string
  flag?: 'mobilepay'
  feature?: 'trueGreen'
  allowed?: readonly string[]
}

export const capabilities = {
  'session.use': { roles: everyone },
  'live.read': { roles: everyone },
  'frequency.read': { roles: everyone, allowed: ['dashboard', 'demandResponse', 'e3App'] },
  'capacity.read': { roles: everyone, allowed: ['dashboard', 'demandResponse', 'e3App'] },
  'power.read': { roles: everyone, allowed: ['dashboard', 'demandResponse', 'e3App'] },
  'prices.read': { roles: everyone, allowed: ['nordPool'] },
  'pricing.read': { roles: everyone, allowed: ['demandResponse'] },
  'tax.edit': { roles: privileged },
  'carbon.read': { roles: everyone, allowed: ['carbonemission'] },
  'economics.read': { roles: everyone, allowed: ['eConomics'] },
  'revenue.read': { roles: everyone, allowed: ['eConomics'] },
  'economics.reconcile': { roles: privileged },
  'statement.edit': { roles: privileged },
  'report.edit': { roles: privileged },
  'calculator.use': { roles: everyone, allowed: ['revenuePotentialCalculator'] },
  'system.read': { roles: everyone },
  'profile.read': { roles: everyone },
  'profile.edit': { roles: privileged },
  'company.edit': { roles: privileged },
  'dashboard.edit': { roles: ['sudoer'] },
  'view.share': { roles: ['sudoer'] },
  'second-factor.require': { roles: ['sudoer'] },
  'api-key.manage': { roles: ['sudoer'] },
  'webhook.manage': { roles: ['sudoer'] },
  'licence.read': { roles: everyone, allowed: ['dashboard', 'demandResponse', 'e3App', 'e3'] },
  'instance.edit': { roles: privileged },
  'note.edit': { roles: privileged },
  'alert.read': { roles: everyone, allowed: ['dashboard', 'e3App'] },
  'alert.edit': { roles: privileged },
  'event.read': { roles: everyone, allowed: ['dashboard', 'demandResponse', 'e3App'] },
  'email-subscription.read': { roles: everyone, allowed: ['emailSubscriptions'] },
  'email-subscription.edit': { roles: privileged },
  'support-note.read': { roles: everyone, allowed: ['supportNotes'] },
  'support-note.edit': { roles: privileged },
  'version.read': { roles: everyone, allowed: ['versionhistory'] },
  'edge.manage': { roles: ['sudoer'] },
  'equipment.control': { roles: ['sudoer'] },
  'data-hub.read': { roles: everyone, licence: 'dataHub', allowed: ['dataHub'] },
  'data-hub.overview': { roles: everyone, licence: 'dataHub', allowed: ['dataHub', 'dashboard', 'e3App'] },
  'data-hub.edit': { roles: privileged, licence: 'dataHub' },
  'data-hub.key': { roles: ['sudoer'], licence: 'dataHub' },
  'bid-request.read': { roles: everyone, allowed: ['demandResponse'] },
  'bid-request.edit': { roles: privileged },
  'bid-result.take': { roles: privileged },
  'scope-2.read': { roles: everyone, licence: 'dataHub', allowed: ['dataHub'] },
  'scope-2.make': { roles: ['sudoer', 'expert', 'auditor'], licence: 'dataHub' },
  'scope-2.remove': { roles: privileged, licence: 'dataHub' },
  'ev-charging.read': { roles: everyone, licence: 'evCharging', allowed: ['e3App'] },
  'ev-charging.edit': { roles: privileged, licence: 'evCharging' },
  'ev-charging.remote': { roles: privileged, licence: 'evCharging' },
  'charge-fleet.read': { roles: everyone, licence: 'CFM', allowed: ['cfmdashboard', 'cfm'] },
  'charge-fleet.import': { roles: privileged, licence: 'CFM' },
  // The tools of charge fleet management are hidden from auditors.
  'charger.read': { roles: ['sudoer', 'expert', 'custom'], licence: 'CFM', allowed: ['cfmTools'] },
  'charger.edit': { roles: privileged, licence: 'CFM' },
  'charger.command': { roles: privileged, licence: 'CFM' },
  'charger.frames': { roles: ['sudoer'], licence: 'CFM' },
  'payment.read': { roles: everyone, licence: 'CFM', flag: 'mobilepay', allowed: ['cfmMobilepay'] },
  'payment.reserve': { roles: privileged, licence: 'CFM', flag: 'mobilepay' },
  'payment.refund': { roles: ['sudoer'], licence: 'CFM', flag: 'mobilepay' },
  'payment.account': { roles: ['sudoer'], licence: 'CFM', flag: 'mobilepay' },
  'load-shifting.read': { roles: everyone, licence: 'loadShifting', allowed: ['loadShifting'] },
  'load-shifting.edit': { roles: privileged, licence: 'loadShifting' },
  'audit.read': { roles: ['sudoer', 'auditor'] },
} as const satisfies Record<string, Gate>

export type CapabilityName = keyof typeof capabilities

export const readScopes = [
  'live.read',
  'frequency.read',
  'capacity.read',
  'power.read',
  'licence.read',
  'prices.read',
  'pricing.read',
  'alert.read',
  'event.read',
  'bid-request.read',
  'carbon.read',
  'data-hub.read',
  'data-hub.overview',
  'scope-2.read',
  'ev-charging.read',
  'economics.read',
  'revenue.read',
  'calculator.use',
  'load-shifting.read',
  'system.read',
  'profile.read',
  'email-subscription.read',
  'support-note.read',
  'version.read',
  'audit.read',
] as const satisfies readonly CapabilityName[]

/** The most that a wall screen may read of its user's rights; only calls marked `wall` are open to it. */
export const wallScopes = [
  'session.use',
  'live.read',
  'frequency.read',
  'power.read',
  'prices.read',
  'alert.read',
  'event.read',
  'bid-request.read',
  'ev-charging.read',
  'data-hub.overview',
] as const satisfies readonly CapabilityName[]

/** The server builds it from the session, the web from the verified profile. */
export type Subject = {
  userRole: Role
  allowed: Readonly<Record<string, boolean>>
  licences: readonly string[]
  mobilepay: boolean
  trueGreen: boolean
  biddingMarkets: readonly string[]
  scopes?: readonly string[] | undefined
}

export type Refusal = 'role' | 'allowed' | 'licence' | 'feature' | 'scope'

/** Null when the subject may pass the gate; otherwise the first reason for the refusal. */
export const gateRefusal = (subject: Subject, gate: Gate): Refusal | null => {
  if (!(gate.roles as readonly Role[]).includes(subject.userRole)) return 'role'
  if (gate.feature === 'trueGreen' && !subject.trueGreen) return 'feature'
  if (gate.licence && !subject.licences.includes(gate.licence)) return 'licence'
  if (gate.flag === 'mobilepay' && !subject.mobilepay) return 'feature'
  if (gate.allowed && subject.userRole === 'custom' && !gate.allowed.some((key) => subject.allowed[key]))
    return 'allowed'
  return null
}

export const refusal = (subject: Subject, name: CapabilityName): Refusal | null =>
  subject.scopes && !subject.scopes.includes(name) ? 'scope' : gateRefusal(subject, capabilities[name])

export const can = (subject: Subject, name: CapabilityName): boolean => refusal(subject, name) === null
