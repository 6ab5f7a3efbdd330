import type { StatementMonth } from '@gridmast/contract/settlement/statements.ts'
import { addMonths, localMonthOf } from '@gridmast/contract/time.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { expectClean } from '#testing/axe.ts'
import { open } from './open-economics.fixture.tsx'

beforeEach(() => tokenStore.set('t'))
afterEach(async () => {
  tokenStore.set(null)
  await page.viewport(1440, 900)
})

const running = localMonthOf(Date.now())
const last = addMonths(running, -1)
const month = {
  month: running,
  settlements: 20,
  unsettledDays: 0,
  unpublished: 0,
  unshared: 0,
  corrected: 0,
  customerEur: '10.00',
  expectedEur: null,
  version: null,
  sent: null,
}
const openStatements = (months: readonly StatementMonth[], language: Language = 'en') =>
  open(
    {
      more: {
        'GET /client/statement': () => ({ data: { months } }),
        'GET /client/statement-reader': () => ({
          data: { readers: [], next: { month: running, at: '2026-12-05T07:00:00Z' } },
        }),
      },
    },
    '?tab=statements',
    language,
  )

test('recipients wait for the months, so that their rows do not push them down', async () => {
  const months = Promise.withResolvers<void>()
  await open(
    {
      more: {
        'GET /client/statement': async () => {
          await months.promise
          return { data: { months: [month] } }
        },
        'GET /client/statement-reader': () => ({
          data: { readers: [], next: { month: running, at: '2026-12-05T07:00:00Z' } },
        }),
      },
    },
    '?tab=statements',
  )
  const recipients = page.getByRole('region', { name: 'Mailed to' })
  await expect.element(page.getByRole('region', { name: 'Monthly statements' })).toBeVisible()
  await expect.element(recipients).not.toBeInTheDocument()
  months.resolve()
  await expect.element(recipients).toBeVisible()
})

const row = (n: number) => page.getByRole('table', { name: 'Monthly statements' }).getByRole('row').nth(n)

test('each month has its state: running, without results, all of them published', async () => {
  await openStatements([
    { ...month, expectedEur: '4.20' },
    { ...month, month: last, unpublished: 3 },
    { ...month, month: addMonths(running, -2) },
  ])
  await expect.element(row(1).getByText('Month not over')).toBeVisible()
  await expect.element(row(1).getByText('Expected 4,20 €')).toBeVisible()
  expect(row(2).element().textContent).not.toContain('Expected')
  await expect.element(row(2).getByText('Without results: 3')).toBeVisible()
  await expect.element(row(3).getByText('All results published')).toBeVisible()
  for (const n of [1, 2]) expect(row(n).element().textContent).not.toContain('All results published')
  await expectClean()
})

test.each([
  ['en', 'days are not settled yet', '1 day is not settled yet', 'All results published'],
  ['da', 'dage er ikke afregnet endnu', '1 dag er ikke afregnet endnu', 'Alle resultater offentliggjort'],
] as const)('a month with days that are not settled is not final, in %s', async (language, many, one, all) => {
  await openStatements(
    [
      { ...month, unsettledDays: 201 },
      { ...month, month: last, unsettledDays: 1 },
    ],
    language,
  )
  const rows = page.getByRole('row')
  await expect.element(rows.nth(1).getByText(`201 ${many}`)).toBeVisible()
  await expect.element(rows.nth(2).getByText(one)).toBeVisible()
  expect(page.getByText(all).elements()).toEqual([])
})

test('on a phone the open tab is visible, and no label is without its value', async () => {
  await page.viewport(390, 844)
  await openStatements([{ ...month, month: last }])
  const tab = page.getByRole('tab', { name: 'Statements' })
  await expect.element(tab).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => Math.floor(tab.element().getBoundingClientRect().right)).toBeLessThanOrEqual(390)
  await expect.element(page.getByText('All results published')).toBeVisible()
})
