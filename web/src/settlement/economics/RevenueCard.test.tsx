import type { Data } from '@gridmast/contract/call.ts'
import type { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { RevenueCard } from './RevenueCard.tsx'

beforeEach(() => tokenStore.set('t'))
afterEach(async () => {
  tokenStore.set(null)
  await page.viewport(1440, 900)
})

type Revenue = Data<typeof monthRevenue>
const revenue: Revenue = {
  totalRevenue: '123456789012.34',
  expectedRevenue: '140.40',
  revenueData: [
    { date: '2026-11-01', revenue: '348.20', isOver: true },
    { date: '2026-11-02', revenue: '-12.50', isOver: true },
    { date: '2026-11-03', revenue: null, isOver: false },
  ],
  unpublished: 3,
  simulated: true,
}

const open = async (
  answer: () => { status?: number; message?: string; data?: unknown },
  language: 'en' | 'da' = 'en',
) => {
  answerCalls({ 'GET /client/data/revenue': answer })
  await showAt(
    '/',
    <UserProvider value={someUser({ userRole: 'custom', allowed: { dashboard: true, eConomics: true } })}>
      <h1>Home</h1>
      <main>
        <RevenueCard />
      </main>
    </UserProvider>,
    language,
  )
}
const card = page.getByRole('region', { name: /^Revenue/ })

test('the running month: its sum in euro, a column a day, unpublished days, and a mark on simulated data', async () => {
  await open(() => ({ data: revenue }))
  await expect.element(card.getByText('€ 123.456.789.012,34')).toBeVisible()
  await expect.element(card.getByText('Expected, not yet earned: 140,40 €')).toBeVisible()
  await expect.element(card.getByText('Days with results not published yet: 3')).toBeVisible()
  await expect.element(card.getByText('Simulated')).toBeVisible()
  expect(fetched()[0]).toMatch(/revenue\?startDate=\d{4}-\d\d-01&endDate=\d{4}-\d\d-(28|29|30|31)$/)
  await userEvent.click(card.getByRole('button', { name: 'Tools of Revenue' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Show as table' }))
  const rows = card.getByRole('row')
  await expect.poll(() => rows.elements().length).toBe(4)
  expect(rows.nth(2).element().textContent).toContain('−12,50')
  expect(rows.nth(1).element().textContent).toContain('–')
  await expectClean()
})

test('its days are downloaded, and sent by email with the dates of a report', async () => {
  await open(() => ({ data: revenue }))
  const tools = card.getByRole('button', { name: 'Tools of Revenue' })
  await expect
    .element(tools)
    .toHaveAttribute('data-export', expect.stringMatching(/^\/client\/data\/revenue\?startDate=/))
  await userEvent.click(tools)
  await userEvent.click(page.getByRole('menuitem', { name: 'Download Excel' }))
  await expect.poll(fetched).toContainEqual(expect.stringMatching(/revenue\?startDate=.*&endDate=.*&format=xlsx/))
})

test.each([
  ['en', 'Partly simulated'],
  ['da', 'Delvis simuleret'],
] as const)('%s: a month of which only some instances are simulated says “%s”', async (language, words) => {
  await open(() => ({ data: { ...revenue, simulated: 'part' } }), language)
  await expect.element(page.getByText(words, { exact: true })).toBeVisible()
})

test.each(['en', 'da'] as const)(
  '%s: on half a phone its title stays on one line, with the month below',
  async (language) => {
    await page.viewport(390, 844)
    await open(() => ({ data: revenue }), language)
    const panel = page.getByRole('region', { name: /^(Revenue|Omsætning)$/ })
    await expect.element(panel.getByText(/^Simul/)).toBeVisible()
    const section = panel.element()
    section.parentElement?.style.setProperty('width', '179px')
    expect(section.querySelector('h2')?.getBoundingClientRect().height).toBe(20)
    expect(section.querySelector('footer')?.textContent).toMatch(/^\d\d\.\d{4}Simul/)
  },
)

test('it links to eConomics for users with access', async () => {
  await open(() => ({ data: revenue }))
  await userEvent.click(card.getByRole('link', { name: 'Revenue' }))
  await expect.element(page.getByText('at /eConomics')).toBeVisible()
})

test('nothing settled is – and not 0', async () => {
  await open(() => ({
    data: { ...revenue, totalRevenue: '0.00', expectedRevenue: null, revenueData: [], unpublished: 0 },
  }))
  await expect.element(card.getByText('€ –')).toBeVisible()
  await expect.element(card.getByText(/^No settlements in /)).toBeVisible()
})

test('a failed read is reported and can be tried again', async () => {
  let fails = true
  await open(() => (fails ? { status: 403, message: m.notAuthorized } : { data: revenue }))
  await expect.element(card.getByText('The revenue could not be loaded.')).toBeVisible()
  fails = false
  await userEvent.click(card.getByRole('button', { name: 'Retry now' }))
  await expect.element(card.getByText('€ 123.456.789.012,34')).toBeVisible()
})
