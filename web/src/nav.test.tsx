import type { User } from '@gridmast/contract/people/user.ts'
import { IconBolt, IconDatabase } from '@tabler/icons-react'
import { describe, expect, test } from 'vitest'
import { someUser } from '#testing/user.ts'
import { flat } from '#shell/nav.ts'
import type { Verdict } from '#shell/gate.ts'
import { navOf } from './nav.ts'
import type { Screen } from '#portal/screens/screen.ts'
import { screens, type ScreenPath } from '#portal/screens/table.ts'

const licences = (types: Record<string, boolean>, mobilepay = false) => ({
  license: Object.fromEntries(
    Object.entries(types).map(([type, enabled]) => [type, { enabled, ...(type === 'CFM' ? { mobilepay } : {}) }]),
  ),
  enabledLicense: Object.fromEntries(
    Object.entries(types).map(([type, enabled]) => [`id-${type}`, { licenseType: { name: type, icon: '' }, enabled }]),
  ),
})
const everything = {
  ...licences({ 'FCR-D-INC': true, FFR: false, aFRR: true, dataHub: true, loadShifting: true, CFM: true }, true),
  biddingMarkets: ['FCR-D-INC', 'FFR', 'DC-PLANNER', 'mFRR', 'aFRR'],
}
const sudoer = someUser({ customerId: everything })
const names = (user: User) => navOf(user).sidebar.map(({ title }) => title)
const under = (user: User, key: string) =>
  navOf(user)
    .sidebar.find((entry) => entry.key === key)
    ?.children.map(({ title }) => title)
const verdict = (
  user: User,
  path: ScreenPath,
  params: Record<string, string> = {},
  search: Record<string, string> = {},
): Verdict => {
  const { gate }: Screen = screens[path]
  return gate?.(user, { params, search }) ?? 'open'
}

test('the sidebar has the entries of the specification in its order, and Scope 2 after its meters', () => {
  expect(names(sudoer)).toEqual(['E3 Dashboard', 'E3 Apps', 'Demand Response', 'Insights', 'eConomics', 'CFM'])
  expect(under(sudoer, '/insights')).toEqual([
    'Support Notes',
    'Carbon Emission',
    'Day ahead',
    'Version History',
    'Data Hub',
    'Scope 2',
    'Revenue Potential Calculator',
    'Load Shifting',
  ])
})

test('E3 Apps has one entry for each enabled licence, with its id in the query', () => {
  expect(under(sudoer, '/e3-App')).toEqual(['FCR-D-INC', 'aFRR', 'Data Hub', 'Load Shifting', 'CFM'])
  expect(flat(navOf(sudoer).sidebar).find(({ key }) => key === '/e3-App/aFRR')).toMatchObject({
    address: { to: '/e3-App/$name', params: { name: 'aFRR' }, search: { licenseTypeId: 'id-aFRR' } },
  })
})

test('an app has the icon of its licence type, and a bolt for an unknown name', () => {
  const enabledLicense = {
    meters: { licenseType: { name: 'dataHub', icon: 'database' }, enabled: true },
    reserve: { licenseType: { name: 'FFR', icon: 'something new' }, enabled: true },
  }
  const user = someUser({ customerId: { ...everything, enabledLicense } })
  const appsOf = navOf(user).sidebar.find(({ key }) => key === '/e3-App')?.children
  expect(appsOf?.map(({ icon }) => icon)).toEqual([IconDatabase, IconBolt])
})

test('R1 Demand Response lists the biddingMarkets except DC-PLANNER and those without an enabled licence', () => {
  expect(under(sudoer, '/demandResponse')).toEqual(['FCR-D-INC', 'mFRR', 'aFRR'])
})

test('R1 a market whose entry is not enabled, or that the company does not have, is not authorized', () => {
  expect(verdict(sudoer, '/demandResponse/$market', { market: 'FCR-D-INC' })).toBe('open')
  expect(verdict(sudoer, '/demandResponse/$market', { market: 'fcr-d-inc' })).toBe('open')
  expect(verdict(sudoer, '/demandResponse/$market', { market: 'FFR' })).toBe('not authorized')
  expect(verdict(sudoer, '/demandResponse/$market', { market: 'fcr' })).toBe('not authorized')
  expect(verdict(sudoer, '/demandResponse/$market', { market: 'dayahead' })).toEqual({ redirect: '/insights/dayahead' })
})

test('R1 an app: an enabled licence opens, a disabled one is not active, an unknown one is not found', () => {
  const app = (licenseTypeId: string) => verdict(sudoer, '/e3-App/$name', { name: 'x' }, { licenseTypeId })
  expect(app('id-aFRR')).toBe('open')
  expect(app('id-FFR')).toBe('license not active')
  expect(app('id-nothing')).toBe('license not found')
  expect(verdict(sudoer, '/e3-App/$name', { name: 'aFRR' })).toBe('open')
  expect(verdict(sudoer, '/e3-App/$name', { name: 'nothing' })).toBe('license not found')
  expect(verdict(sudoer, '/e3/$licenseId', { licenseId: 'id-FFR' })).toBe('license not active')
  expect(verdict(sudoer, '/e3/$licenseId', { licenseId: 'other' })).toBe('license not found')
})

describe('R1 customer features', () => {
  const plain = someUser({ customerId: { trueGreen: { enabled: false }, ...licences({ CFM: true }) } })

  test('without trueGreen / leads to /cfmdashboard, and dashboard and e3 are not enabled', () => {
    expect(verdict(plain, '/')).toEqual({ redirect: '/cfmdashboard' })
    expect(verdict(plain, '/dashboard')).toBe('not enabled')
    expect(verdict(plain, '/e3')).toBe('not enabled')
    expect(navOf(plain).home).toEqual({ to: '/cfmdashboard' })
    expect(names(plain)).not.toContain('E3 Dashboard')
  })

  test('CFM, data hub and load shifting need their licence; one that is switched off is not active', () => {
    const off = someUser({ customerId: licences({ CFM: false, dataHub: false }) })
    expect(verdict(off, '/cfmdashboard')).toBe('license not active')
    expect(verdict(off, '/insights/dataHub')).toBe('license not active')
    expect(verdict(off, '/insights/loadShifting')).toBe('not enabled')
    expect(names(off)).not.toContain('CFM')
  })

  test('mobilepay needs its flag', () => {
    expect(verdict(sudoer, '/cfm/mobilepay')).toBe('open')
    expect(verdict(plain, '/cfm/mobilepay')).toBe('not enabled')
    expect(under(plain, '/cfm')).toEqual(['Charge Fleet Management', 'CFM Tools'])
  })
})

describe('R1 roles', () => {
  test('an auditor sees no CFM tools, reads the audit trail, and has no keys or webhooks', () => {
    const auditor = someUser({ userRole: 'auditor', customerId: everything })
    expect(verdict(auditor, '/cfm/tools')).toBe('not authorized')
    expect(under(auditor, '/cfm')).toEqual(['Charge Fleet Management', 'MobilePay'])
    const profile = navOf(auditor).profile.map(({ key }) => key)
    expect(profile).toContain('/audit')
    expect(profile).not.toContain('/apiKeys')
    expect(profile).not.toContain('/webhooks')
    expect(profile).not.toContain('/reports')
  })

  test('a custom user opens what the allowed map lists, and nothing else', () => {
    const custom = someUser({
      userRole: 'custom',
      allowed: { dashboard: true, dataHub: true },
      customerId: everything,
    })
    expect(names(custom)).toEqual(['E3 Dashboard', 'Insights'])
    expect(under(custom, '/insights')).toEqual(['Data Hub', 'Scope 2'])
    expect(verdict(custom, '/insights/versionhistory')).toBe('not authorized')
    expect(verdict(custom, '/demandResponse/$market', { market: 'aFRR' })).toBe('not authorized')
  })

  test('a custom user with an empty map has no home and no entry', () => {
    const nobody = someUser({ userRole: 'custom', customerId: everything })
    expect(navOf(nobody)).toMatchObject({ home: null, sidebar: [] })
    expect(verdict(nobody, '/')).toBe('not authorized')
  })
})
