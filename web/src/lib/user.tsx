import { verify } from '@gridmast/contract/people/auth.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { type CapabilityName, type Subject, can } from '@gridmast/contract/roles.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { callKey, useCall } from './query.ts'
import { renewAccount } from './session.ts'

const apps = new Map(Object.entries({ dataHub: 'Data Hub', evCharging: 'EV Charging', loadShifting: 'Load Shifting' }))

/** Reserve markets are not translated. */
export const licenceTitle = (type: string): string => apps.get(type) ?? type

const UserContext = createContext<User | null>(null)
export const UserProvider = UserContext.Provider

export const useUser = (): User => {
  const user = use(UserContext)
  if (!user) throw new Error('useUser outside the shell')
  return user
}

export type Due = NonNullable<Data<typeof verify>['due']>

export const useVerifiedUser = (enabled: boolean) => useCall(verify, { enabled, retry: false })

/** The input of the permission rules; the server builds the same from the session. */
export const subjectOf = (user: User): Subject => {
  const { license, trueGreen, biddingMarkets } = user.customerId
  return {
    userRole: user.userRole,
    allowed: user.allowed,
    licences: Object.entries(license).flatMap(([name, licence]) => (licence.enabled ? [name] : [])),
    mobilepay: Object.values(license).some((licence) => licence.enabled && licence.mobilepay === true),
    trueGreen: trueGreen.enabled,
    biddingMarkets,
  }
}

export const useCan = (capability: CapabilityName): boolean => can(subjectOf(useUser()), capability)

export const useRenewUser = () => {
  const queries = useQueryClient()
  return (change: (user: User) => User) => {
    const after = queries.setQueryData<Data<typeof verify>>(
      callKey(verify),
      (before) => before && { ...before, user: change(before.user) },
    )
    if (after) renewAccount(after.user)
  }
}
