import type { Gate as ScreenRule } from '@gridmast/contract/roles.ts'
import { marketRefusal, screenRefusal, screens, type ScreenName } from '@gridmast/contract/screens.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { subjectOf } from '#lib/user.tsx'
import type { PlainPath } from './nav.ts'

export type Place = { params: Record<string, string | undefined>; search: Record<string, unknown> }

export type Verdict =
  | 'open'
  | 'not authorized'
  | 'not enabled'
  | 'license not active'
  | 'license not found'
  | { redirect: PlainPath }
export type Gate = (user: User, place: Place) => Verdict

/** The contract's rule of a screen. A feature that the company lacks has another message than a missing permission. */
export const screenGate =
  (name: ScreenName): Gate =>
  (user) => {
    const refused = screenRefusal(subjectOf(user), name)
    if (refused === null) return 'open'
    const { licence }: ScreenRule = screens[name]
    const hasLicence = licence !== undefined && user.customerId.license[licence] !== undefined
    if (refused === 'licence') return hasLicence ? 'license not active' : 'not enabled'
    return refused === 'feature' ? 'not enabled' : 'not authorized'
  }

/** A company without trueGreen has its home at the charge fleet. */
export const homeGate: Gate = (user, place) =>
  user.customerId.trueGreen.enabled ? screenGate('dashboard')(user, place) : { redirect: '/cfmdashboard' }

/** `dayahead` is a page of its own; any other name is a market, in any case. */
export const marketGate: Gate = (user, { params }) => {
  const market = params['market'] ?? ''
  if (market.toLowerCase() === 'dayahead') return { redirect: '/insights/dayahead' }
  return marketRefusal(subjectOf(user), market) === null ? 'open' : 'not authorized'
}

/** The licence in the URL: by id, or for an app without an id by name. */
export const licenceOf = (user: User, { params, search }: Place) => {
  const id = params['licenseId'] ?? search['licenseTypeId']
  const licences = Object.entries(user.customerId.enabledLicense).map(([_id, licence]) => ({ _id, ...licence }))
  return licences.find(({ _id, licenseType }) => (id === undefined ? licenseType.name === params['name'] : _id === id))
}

export const licenceGate =
  (name: ScreenName): Gate =>
  (user, place) => {
    const refused = screenGate(name)(user, place)
    if (refused !== 'open') return refused
    const licence = licenceOf(user, place)
    if (!licence) return 'license not found'
    return licence.enabled ? 'open' : 'license not active'
  }

export const anyOf =
  (...gates: Gate[]): Gate =>
  (user, place) =>
    gates.some((gate) => gate(user, place) === 'open') ? 'open' : 'not authorized'
