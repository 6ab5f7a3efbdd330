import { expect, type Page } from '@playwright/test'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn, signInByForm } from '../support/people.ts'
import { test } from '../support/test.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const refused = 'Oops! You are not authorized to access this!'
const notEnabled = 'This feature is not enabled for your company'
const opens = async (page: Page, path: string, title: string) => {
  await page.goto(path)
  await expect(heading(page, title)).toBeVisible()
  await expect(page).toHaveTitle(`${title} · Gridmast`)
}

test('the routes of the specification open under their titles', async ({ page }) => {
  await signIn(page, people.sudoer)
  for (const [path, title] of [
    ['/dashboard', 'E3 Dashboard'],
    ['/e3', 'Licenses'],
    ['/e3-App', 'E3 Apps'],
    ['/e3-App/evCharging', 'EV Charging'],
    ['/e3-Legacy/alert', 'Notification'],
    ['/demandResponse', 'Demand Response'],
    ['/demandResponse/FCR-D-INC', 'FCR-D-INC'],
    ['/demandResponse/fcr', 'FCR'],
    ['/demandResponse/dayahead', 'Day ahead'],
    ['/insights', 'Insights'],
    ['/insights/supportNotes', 'Support Notes'],
    ['/insights/carbonemission', 'Carbon Emission'],
    ['/insights/dayahead', 'Day ahead'],
    ['/insights/versionhistory', 'Version History'],
    ['/insights/dataHub', 'Data Hub'],
    ['/insights/scope2', 'Scope 2'],
    ['/insights/revenuePotentialCalculator', 'Revenue Potential Calculator'],
    ['/insights/loadShifting', 'Load Shifting'],
    ['/eConomics', 'eConomics'],
    ['/cfm', 'CFM'],
    ['/cfm/tools', 'CFM Tools'],
    ['/cfmdashboard', 'Charge Fleet Management'],
    ['/emailSubscriptions', 'Email Subscriptions'],
    ['/systemOverview', 'System Overview'],
    ['/profile', 'Edit Profile'],
    ['/company', 'Company profile'],
    ['/security', 'Security'],
    ['/apiKeys', 'API keys'],
    ['/webhooks', 'Webhooks'],
    ['/reports', 'Reports'],
    ['/edges', 'Edge gateways'],
    ['/audit', 'Audit trail'],
  ] as const)
    await opens(page, path, title)
})

test('R1 a page by its refusal: feature, role, allowed, licence unknown', async ({ page }) => {
  await signIn(page, people.vestkyst)
  for (const [path, refusal] of [
    ['/dashboard', notEnabled],
    ['/e3', notEnabled],
    ['/demandResponse/FCR', refused],
  ] as const) {
    await page.goto(path)
    await expect(heading(page, refusal)).toBeVisible()
  }
  await page.goto('/e3-App/x?licenseTypeId=00000000-0000-4000-8000-000000000000')
  await expect(heading(page, 'Oops! License Not Found')).toBeVisible()
  await expect(page.getByText('Your operator enables features for your company. Ask your operator.')).toBeVisible()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page).toHaveURL(/\/cfmdashboard$/)
})

test('R1 mobilepay needs its flag, an auditor has no CFM tools', async ({ page }) => {
  await signIn(page, people.auditor)
  await page.goto('/cfm/mobilepay')
  await expect(heading(page, notEnabled)).toBeVisible()
  for (const path of ['/cfm/tools', '/apiKeys']) {
    await page.goto(path)
    await expect(heading(page, refused)).toBeVisible()
  }
})

test('R1 a custom user opens what the allowed map lists', async ({ page }) => {
  await signIn(page, people.custom)
  await opens(page, '/insights/versionhistory', 'Version History')
  await page.goto('/eConomics')
  await expect(heading(page, refused)).toBeVisible()
})

test('the sidebar has the entries of the specification, and groups open by keyboard', async ({ page }) => {
  await signIn(page, people.sudoer)
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await sidebar.getByRole('link', { name: 'E3 Dashboard' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Under E3 Apps' })).toBeFocused()
  await page.keyboard.press('Enter')
  await sidebar.getByRole('link', { name: 'EV Charging' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/e3-App\/evCharging\?licenseTypeId=[0-9a-f-]{36}$/)
  await expect(heading(page, 'EV Charging')).toBeVisible()
})

test('the profile menu has the entries of the specification', async ({ page }) => {
  await signIn(page, people.sudoer)
  await page.getByRole('button', { name: /Profile menu/ }).click()
  const menu = page.getByRole('dialog', { name: 'Profile menu' })
  for (const name of ['Edit Profile', 'Support Notes', 'Version History', 'System Overview'])
    await expect(menu.getByRole('link', { name })).toBeVisible()
  for (const name of ['Update Password', 'Switch User', 'Logout All Accounts'])
    await expect(menu.getByRole('button', { name })).toBeVisible()
})

test('recent apps are shortcuts, five at most', async ({ page }) => {
  await signInByForm(page, people.sudoer)
  for (const [path, title] of [
    ['/eConomics', 'eConomics'],
    ['/insights/dataHub', 'Data Hub'],
    ['/cfm/tools', 'CFM Tools'],
    ['/edges', 'Edge gateways'],
    ['/audit', 'Audit trail'],
    ['/webhooks', 'Webhooks'],
    ['/profile', 'Edit Profile'],
  ] as const)
    await opens(page, path, title)
  const recent = page.getByRole('navigation', { name: 'Recent apps' }).getByRole('link')
  await expect(recent).toHaveCount(4)
  await expect(recent.first()).toHaveAccessibleName('Webhooks')
})

test('the system overview shows storage, instances, the last update and every source', async ({ page }) => {
  await signIn(page, people.sudoer, '/systemOverview')
  await expect(page.getByRole('region', { name: 'Storage' })).toHaveText(/Storage[\d.,]+ Mb/)
  await expect(page.getByRole('region', { name: 'Instances' })).toHaveText(/7/)
  await expect(page.getByRole('region', { name: 'Last update' })).toHaveText(/\d\d:\d\d:\d\d CES?T/)
  const edge = page.getByRole('row', { name: /Edge edge-nord-01/ })
  await expect(edge.getByText('Simulated')).toBeVisible()
  await expect(edge.getByText('Fresh')).toBeVisible()
})

for (const look of looks)
  test(`axe finds nothing on menus, system overview and refusals, ${look.colorScheme}, ${look.width} wide`, async ({
    page,
  }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, '/systemOverview')
    await expect(page.getByRole('region', { name: 'Last update' })).toHaveText(/\d\d:\d\d:\d\d CES?T/)
    await expectClean(page)
    await page.getByRole('button', { name: /Profile menu/ }).click()
    await page.getByRole('button', { name: 'Switch User' }).click()
    await expectClean(page)
    for (const path of ['/e3-App', '/eConomics', '/cfm/mobilepay']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expectClean(page)
    }
  })
