import type { Data } from '@gridmast/contract/call.ts'
import type { noteVisit } from '@gridmast/contract/people/home-visit.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { VisitStrip } from './VisitStrip.tsx'

type Visit = Data<typeof noteVisit>
const statementId = '44444444-4444-4444-8444-444444444441'
const none: Visit = {
  since: '2026-11-20T15:02:00Z',
  events: [],
  alerts: [],
  settlements: null,
  bids: [],
  differences: [],
}
const full: Visit = {
  ...none,
  events: [{ market: 'FFR', count: 3 }],
  alerts: [{ licence: 'aFRR', count: 1 }],
  settlements: { count: 5, firstDay: '2026-11-19', lastDay: '2026-11-20' },
  bids: [{ market: 'FCR', won: 12, lost: 2 }],
  differences: [{ statementId, name: 'Oktober.xlsx', count: 2 }],
}

const open = async (visit: Visit, language: 'en' | 'da' = 'en', user = someUser()) => {
  const requests = answerCalls({ 'PUT /user/home-visit': () => ({ data: visit }) })
  await showAt(
    '/',
    <UserProvider value={user}>
      <main>
        <VisitStrip />
      </main>
    </UserProvider>,
    language,
  )
  return requests
}

test('each count opens its list', async () => {
  await open(full)
  await expect.element(page.getByText('Since your last visit, 20.11. 16:02')).toBeVisible()
  const links = page
    .getByRole('link')
    .elements()
    .map((link) => [link.textContent, decodeURIComponent(link.getAttribute('href') ?? '')])
  expect(links).toEqual([
    ['3 activations, FFR', expect.stringMatching(/^\/demandResponse\/FFR\?.*dateRange=2026-11-20\.\./)],
    ['1 alert, aFRR', '/e3-App/aFRR?tab=alerts&subTab=triggered'],
    ['Bids: 12 won, 2 lost, FCR', '/demandResponse/FCR?tab=requestBid'],
    ['5 settlements', '/eConomics?startDate=2026-11-19&endDate=2026-11-20'],
    ['2 differences, Oktober.xlsx', `/eConomics?tab=reconciliation&statement=${statementId}&show=unsettled`],
  ])
  await expectClean()
})

test('nothing new is one line', async () => {
  await open(none, 'da')
  await expect.element(page.getByText('Intet nyt siden dit seneste besøg, 20.11. 16:02')).toBeVisible()
})

test('at the first visit the strip is empty', async () => {
  const requests = await open({ ...none, since: null })
  await expect.poll(() => requests.length).toBe(1)
  await expect.element(page.getByRole('region', { name: 'Since your last visit' })).toHaveTextContent('')
})

test('a person without access to a list reads the count without a link', async () => {
  const custom = someUser({ userRole: 'custom', allowed: { dashboard: true } })
  await open({ ...none, events: full.events }, 'en', custom)
  await expect.element(page.getByText('3 activations, FFR')).toBeVisible()
  expect(page.getByRole('link').elements()).toEqual([])
})
