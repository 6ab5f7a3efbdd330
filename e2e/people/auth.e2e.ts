import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { password, people, signInByForm } from '../support/people.ts'
import { test } from '../support/test.ts'

test('sign-in reports the error under each field and moves the cursor to the first', async ({ page }) => {
  await page.goto('/auth/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('This field is required')).toHaveCount(2)
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('mads@nordhavn')
  await page.getByLabel(/^Password/).fill('x')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Value must be a valid email')).toBeVisible()
})

test('a wrong password is reported in a toast and the typed text is kept', async ({ page }) => {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(people.sudoer)
  await page.getByLabel(/^Password/).fill('wrong-password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The email or password is not correct' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(people.sudoer)
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('an admin-type account is refused with the message of the specification', async ({ page }) => {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(people.admin)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Redirecting To Right Portal' })).toBeVisible()
})

test(
  'without a session every page leads to sign-in; signing in lands on the dashboard with Login Success',
  { tag: '@product' },
  async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL(/\/auth\/login$/)
    await signInByForm(page, people.sudoer)
    await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/$/)
    expect(await page.evaluate(() => localStorage.getItem('GM_TOKEN'))).toMatch(/^"?gmp_/)
    expect(await page.evaluate(() => localStorage.getItem('GM_USERS'))).toContain('Nordhavn Frost A/S')
  },
)

test('a customer without trueGreen lands on /cfmdashboard', async ({ page }) => {
  await signInByForm(page, people.vestkyst)
  await expect(page).toHaveURL(/\/cfmdashboard$/)
})

test('logout in the sidebar ends the session, here and on the server', async ({ page }) => {
  await signInByForm(page, people.auditor)
  const token = (await page.evaluate(() => localStorage.getItem('GM_TOKEN')))?.replaceAll('"', '')
  await page.getByRole('navigation').first().hover()
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('GM_TOKEN'))).toBeNull()
  const answer = await page.request.get('/api/user/verify', { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status()).toBe(401)
})

test('a session that ended elsewhere leads back to sign-in', async ({ page }) => {
  await signInByForm(page, people.expert)
  const token = (await page.evaluate(() => localStorage.getItem('GM_TOKEN')))?.replaceAll('"', '')
  await page.request.post('/api/user/logout', { headers: { authorization: `Bearer ${token}` } })
  await page.reload()
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('S5 the link that the operator creates next to the running server signs its owner in, once', async ({
  page,
  browser,
  demo,
}) => {
  const env = { ...process.env, DATA_DIR: demo.dataDir }
  const tool = join(import.meta.dirname, '../../tools/operator.ts')
  const address = execFileSync(process.execPath, [tool, 'login-link', people.expert], { env, encoding: 'utf8' }).trim()
  const toast = page.getByText('Login Success').waitFor() // it may come before the load event
  await Promise.all([page.goto(address), toast])
  await expect(page).toHaveURL(/:\d+\/$/)
  const other = await browser.newPage()
  await other.goto(address)
  await expect(other.getByText('This sign-in link has expired or was used. Ask for a new one.').first()).toBeVisible()
  await other.close()
})
