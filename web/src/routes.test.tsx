import { expect, test } from 'vitest'
import { flat, type Address } from '#shell/nav.ts'
import { someUser } from '#testing/user.ts'
import { navOf } from './nav.ts'
import { router } from './routes.tsx'
import { screens } from '#portal/screens/table.ts'

const user = someUser({
  customerId: {
    biddingMarkets: ['FCR-D-INC'],
    license: { 'FCR-D-INC': { enabled: true }, CFM: { enabled: true }, dataHub: { enabled: true } },
    enabledLicense: {
      a: { licenseType: { name: 'FCR-D-INC', icon: '' }, enabled: true },
      b: { licenseType: { name: 'A/B', icon: '' }, enabled: true },
    },
  },
})
const pathOf = (address: Address) => router.buildLocation(address).pathname

test('each row of the table is a route, and each entry of a user links to its own path', () => {
  for (const path of Object.keys(screens)) expect(Object.keys(router.routesByPath)).toContain(path)
  const { sidebar, profile } = navOf(user)
  const entries = flat([...sidebar, ...profile])
  expect(entries.map(({ key }) => key)).toEqual(expect.arrayContaining(['/e3-App/A%2FB', '/demandResponse/FCR-D-INC']))
  for (const { address, key } of entries) expect(pathOf(address)).toBe(key)
})

// Wrong addresses do not compile.
export const wrong: Address[] = [
  // @ts-expect-error no such path
  { to: '/nowhere' },
  // @ts-expect-error the path names a market
  { to: '/demandResponse/$market' },
  // @ts-expect-error another name
  { to: '/demandResponse/$market', params: { name: 'FFR' } },
  // @ts-expect-error no such day
  { to: '/', params: {}, search: { day: 'yesterday' } },
  // @ts-expect-error no such parameter
  { to: '/', params: {}, search: { days: 2 } },
  // @ts-expect-error an address that holds nothing
  { to: '/profile', params: {}, search: { day: 'tomorrow' } },
]
