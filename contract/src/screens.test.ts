import { describe, expect, test } from 'vitest'
import type { PortalRole, Subject } from './roles.ts'
import { marketRefusal, screenRefusal, screens, shownMarkets, type ScreenName } from './screens.ts'

/*
 * Security rule R2 for screens, written from section 6 of specification texts 1 to 3: "dashboard and e3 need trueGreen; CFM pages need licence
 * CFM enabled; loadShifting needs its enabled flag; the dataHub needs a specific licence entry enabled; mobilepay needs the CFM mobilepay flag",
 * "An auditor cannot see the CFM 'tools' route", "A custom role has an allowed map per route id".
 */
const full: Subject = {
  userRole: 'sudoer',
  allowed: {},
  licences: ['CFM', 'loadShifting', 'dataHub', 'FCR', 'FFR', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-N', 'aFRR'],
  mobilepay: true,
  trueGreen: true,
  biddingMarkets: ['FCR', 'FFR', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-N', 'aFRR', 'mFRR', 'DC-PLANNER'],
}
const as = (userRole: PortalRole, allowed: string[] = []): Subject => ({
  ...full,
  userRole,
  allowed: Object.fromEntries(allowed.map((key) => [key, true])),
})

const yes = null
type Cell = null | 'role' | 'allowed' | 'licence' | 'feature'
type Row = [
  sudoer: Cell,
  expert: Cell,
  auditor: Cell,
  customWith: Cell,
  customWithout: Cell,
  noTrueGreen: Cell,
  noLicence: Cell,
  noMobilepay: Cell,
]

const table: Record<ScreenName, Row> = {
  //                          sudoer expert auditor custom custom-    -trueGreen -licence   -mobilepay
  dashboard: [yes, yes, yes, yes, 'allowed', 'feature', yes, yes],
  e3: [yes, yes, yes, yes, 'allowed', 'feature', yes, yes],
  e3App: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  demandResponse: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  dataHub: [yes, yes, yes, yes, 'allowed', yes, 'licence', yes],
  loadShifting: [yes, yes, yes, yes, 'allowed', yes, 'licence', yes],
  supportNotes: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  versionhistory: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  carbonemission: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  dayahead: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  revenuePotentialCalculator: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  eConomics: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  emailSubscriptions: [yes, yes, yes, yes, 'allowed', yes, yes, yes],
  cfmdashboard: [yes, yes, yes, yes, 'allowed', yes, 'licence', yes],
  cfm: [yes, yes, yes, yes, 'allowed', yes, 'licence', yes],
  cfmTools: [yes, yes, 'role', yes, 'allowed', yes, 'licence', yes],
  cfmMobilepay: [yes, yes, yes, yes, 'allowed', yes, 'licence', 'feature'],
  systemOverview: [yes, yes, yes, yes, yes, yes, yes, yes],
  security: [yes, yes, yes, yes, yes, yes, yes, yes],
  apiKeys: [yes, 'role', 'role', 'role', 'role', yes, yes, yes],
  webhooks: [yes, 'role', 'role', 'role', 'role', yes, yes, yes],
  reports: [yes, yes, 'role', 'role', 'role', yes, yes, yes],
  edges: [yes, 'role', 'role', 'role', 'role', yes, yes, yes],
  audit: [yes, 'role', yes, 'role', 'role', yes, yes, yes],
}
const names = Object.keys(screens) as ScreenName[] // the keys of an object are its own

test.each(names)('R2 roles with access to %s', (name) => {
  const everyOther = [...names, 'nordPool'].filter(
    (key) => key !== name && !(name === 'dayahead' && key === 'nordPool'),
  )
  const subjects = [
    as('sudoer'),
    as('expert'),
    as('auditor'),
    as('custom', [name]),
    as('custom', everyOther),
    { ...full, trueGreen: false },
    { ...full, licences: [] },
    { ...full, mobilepay: false },
  ]
  expect(subjects.map((subject) => screenRefusal(subject, name))).toEqual(table[name])
})

test('R2 admin-type roles have access to no screen', () => {
  for (const userRole of ['admin', 'sub-admin', 'root', 'root-developer', 'root-admin', 'enabler'] as const)
    for (const name of names) expect(screenRefusal({ ...full, userRole }, name), name).toBe('role')
})

test('R2 nordPool gives a custom user the Nordpool block and nothing else', () => {
  const subject = as('custom', ['nordPool'])
  expect(names.filter((name) => screenRefusal(subject, name) === null)).toEqual([
    'dayahead',
    'systemOverview',
    'security',
  ])
})

describe('R2 market screens', () => {
  test('the sidebar lists the bidding markets of the customer without DC-PLANNER', () => {
    expect(shownMarkets(full)).toEqual(['FCR', 'FFR', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-N', 'aFRR', 'mFRR'])
    expect(shownMarkets({ ...full, biddingMarkets: ['aFRR'] })).toEqual(['aFRR'])
    expect(shownMarkets(as('custom', ['dashboard']))).toEqual([])
  })

  test.each(['FCR', 'FFR', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-N', 'aFRR'])('%s needs an enabled entry', (market) => {
    const without = { ...full, licences: full.licences.filter((one) => one !== market) }
    expect(marketRefusal(full, market)).toBeNull()
    expect(marketRefusal(without, market)).toBe('licence')
    expect(shownMarkets(without)).not.toContain(market)
  })

  test('a market screen needs its market at the customer, in any case of the address', () => {
    expect(marketRefusal({ ...full, licences: [] }, 'mFRR')).toBeNull()
    expect(marketRefusal(full, 'FCR-X')).toBe('licence')
    expect(marketRefusal({ ...full, biddingMarkets: ['FFR'] }, 'FCR')).toBe('licence')
    expect(marketRefusal(full, 'fcr-d-inc')).toBeNull()
    expect(marketRefusal({ ...full, licences: [] }, 'fcr-d-inc')).toBe('licence')
  })

  test('a custom user needs demandResponse', () => {
    expect(marketRefusal(as('custom', ['demandResponse']), 'FCR')).toBeNull()
    expect(marketRefusal(as('custom', ['dashboard']), 'FCR')).toBe('allowed')
  })
})
