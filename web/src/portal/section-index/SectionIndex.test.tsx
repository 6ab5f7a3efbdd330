import type { Version } from '@gridmast/contract/people/versions.ts'
import { IconActivity } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { type NavEntry, NavProvider } from '#shell/nav.ts'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { readyInstance, someCapacity, somePowerCost, someSource } from '#testing/samples.ts'
import { someUser } from '#testing/user.ts'
import SectionIndex from './SectionIndex.tsx'

const one = '33333333-3333-4333-8333-333333333333'
const user = someUser({
  customerId: {
    biddingMarkets: ['aFRR', 'FFR', 'FCR-D-INC'],
    instances: [{ _id: one, name: 'Nordhavn Køl 1', licenseId: 'l', market: ['FCR-D-INC'], area: 'DK2' }],
  },
})
const entry = (key: string, title: string, children: NavEntry[] = []): NavEntry => ({
  key,
  address: { to: '/' },
  title,
  short: title,
  icon: IconActivity,
  children,
})
const at = (path: string, children: NavEntry[], viewer = user) => {
  const sidebar = [entry(path, 'Here', children)]
  return showAt(
    path,
    <UserProvider value={viewer}>
      <NavProvider value={{ sidebar, profile: [], home: { to: '/' } }}>
        <SectionIndex />
      </NavProvider>
    </UserProvider>,
  )
}
const links = () =>
  page
    .getByRole('main')
    .getByRole('link')
    .elements()
    .map((link) => link.textContent)

test('markets in the order of the contract, each with its available and its sold capacity', async () => {
  answerCalls({
    'GET /client/data/powercapacity/sum': () => ({
      data: someCapacity({ instances: [readyInstance(one, 'Nordhavn Køl 1', 512.4)], soldKw: 400 }),
    }),
  })
  await at(
    '/demandResponse',
    ['aFRR', 'FCR-D-INC', 'FFR'].map((market) => entry(`/demandResponse/${market}`, market)),
  )
  await expect
    .element(page.getByRole('link', { name: 'FCR-D-INC 512,4kW Sold now 400,0 kW Margin 112,4 kW' }))
    .toBeVisible()
  expect(links().map((text) => text?.match(/^(FCR-D-INC|FFR|aFRR)/)?.[0])).toEqual(['FCR-D-INC', 'FFR', 'aFRR'])
})

test('the figures of an index page end below each other, regardless of their neighbours', async () => {
  const [two, three] = [1000, 51.5]
  let requests = 0
  answerCalls({
    'GET /client/data/powercapacity/sum': () => ({
      data: someCapacity({
        instances: [readyInstance(one, 'Nordhavn Køl 1', requests++ === 0 ? two : three)],
        soldKw: requests === 1 ? 0 : 40,
      }),
    }),
  })
  await at(
    '/demandResponse',
    ['FCR-D-INC', 'FCR-D-DEC'].map((market) => entry(`/demandResponse/${market}`, market)),
    someUser({
      customerId: {
        biddingMarkets: ['FCR-D-INC', 'FCR-D-DEC'],
        instances: [
          { _id: one, name: 'Nordhavn Køl 1', licenseId: 'l', market: ['FCR-D-INC', 'FCR-D-DEC'], area: 'DK2' },
        ],
      },
    }),
  )
  const ends = () =>
    [...document.querySelectorAll('main [class*="value"]')].map((figure) => figure.getBoundingClientRect().right)
  await expect.poll(() => ends().length).toBe(2)
  expect(new Set(ends()).size).toBe(1)
})

const newest: Version = {
  _id: '55555555-5555-4555-8555-555555555555',
  title: 'Gridmast',
  application: 'Portal',
  description: '',
  descriptionDa: null,
  released: '2026-11-20',
  enable: true,
}
const always = { start_time: '2026-01-01T00:00:00Z', end_time: '2099-01-01T00:00:00Z' }

test('insights begin with what changes from day to day; each has a figure of its own', async () => {
  answerCalls({
    'GET /client/supportNotes': () => ({ data: { supportNotes: [], totalCount: 2 } }),
    'GET /client/version': () => ({ data: { versions: [newest], totalCount: 1 } }),
    'GET /client/data/carbon-emission': () => ({
      data: { graph: [], mean: 87.4, lowest: null, highest: null, source: someSource('CO2Emis') },
    }),
    'GET /client/data/power-cost': () => ({
      data: somePowerCost({ prices: [{ ...always, price: '1906.02', priceTaxIncluded: '2025.02' }] }),
    }),
  })
  const titles = {
    supportNotes: 'Support Notes',
    carbonemission: 'Carbon Emission',
    dayahead: 'Day ahead',
    versionhistory: 'Version History',
  }
  await at(
    '/insights',
    Object.entries(titles).map(([path, title]) => entry(`/insights/${path}`, title)),
  )
  const figures = ['Day ahead Now · DK2 1.906,02DKK/MWh', 'Support Notes Notes 2', 'Version History Newest 20.11.2026']
  for (const name of figures) await expect.element(page.getByRole('link', { name, exact: true })).toBeVisible()
  expect(links().map((text) => text?.match(/^[A-Z][a-z]+ [A-Za-z][a-z]+/)?.[0])).toEqual([
    'Day ahead',
    'Carbon Emission',
    'Support Notes',
    'Version History',
  ])
})
