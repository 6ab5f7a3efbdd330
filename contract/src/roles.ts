/** Roles and capabilities: one declaration, enforced by the server and read by the web. Source: specification texts 1-3, section 6 of each. */

export const portalRoles = ['sudoer', 'expert', 'auditor', 'custom'] as const
export const adminRoles = ['admin', 'sub-admin', 'root', 'root-developer', 'root-admin', 'enabler'] as const
export const roles = [...portalRoles, ...adminRoles] as const

export type PortalRole = (typeof portalRoles)[number]
export type Role = (typeof roles)[number]

export const isAdminRole = (role: Role): boolean => (adminRoles as readonly Role[]).includes(role)

export const roleNames: Record<Role, string> = {
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
}

export type Capability = {
  roles: readonly PortalRole[]
  /** A licence type that the customer must have enabled. */
  licence?: string
  /** A customer feature. */
  feature?: 'trueGreen'
  /** Key that a custom user's `allowed` map must hold. */
  allowed?: string
}

const everyone = portalRoles

export const capabilities = {
  'session.use': { roles: everyone },
  'live.read': { roles: everyone },
  'frequency.read': { roles: everyone },
  'capacity.read': { roles: everyone },
  'power.read': { roles: everyone },
  'prices.read': { roles: everyone, allowed: 'nordPool' },
  'system.read': { roles: everyone },
} as const satisfies Record<string, Capability>

export type CapabilityName = keyof typeof capabilities

/** Who a gate looks at; the server builds it from the session, the web from the verified profile. */
export type Subject = {
  userRole: Role
  allowed: Readonly<Record<string, boolean>>
  licences: readonly string[]
  trueGreen: boolean
}

export type Refusal = 'role' | 'allowed' | 'licence' | 'feature'

/** Null when the subject may; otherwise the first reason why not. */
export const refusal = (subject: Subject, name: CapabilityName): Refusal | null => {
  const gate: Capability = capabilities[name]
  if (!(gate.roles as readonly Role[]).includes(subject.userRole)) return 'role'
  if (gate.licence && !subject.licences.includes(gate.licence)) return 'licence'
  if (gate.feature === 'trueGreen' && !subject.trueGreen) return 'feature'
  if (gate.allowed && subject.userRole === 'custom' && !subject.allowed[gate.allowed]) return 'allowed'
  return null
}

export const can = (subject: Subject, name: CapabilityName): boolean => refusal(subject, name) === null
