import { expect, type Page } from '@playwright/test'
import { people, signInByForm } from '../support/people.ts'
import { test } from '../support/test.ts'

const menu = (page: Page) => page.getByRole('button', { name: /Profile menu/ })
const addAccount = async (page: Page, email: string) => {
  await menu(page).click()
  await page.getByRole('button', { name: 'Switch User' }).click()
  await page.getByRole('button', { name: 'Add Account' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await signInByForm(page, email)
}

test('T5 a second account is added and switched to by keyboard; no data of the first account remains', async ({
  page,
}) => {
  await signInByForm(page, people.vestkyst)
  await addAccount(page, people.sudoer)
  await expect(page.getByRole('region', { name: 'Frequency (Hz)' })).toBeVisible()
  await menu(page).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Switch User' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Vestkyst Logistik ApS/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/cfmdashboard$/)
  await expect(page.getByRole('heading', { name: 'Charge Fleet Management' }).first()).toBeVisible()
  expect(await page.locator('body').innerText()).not.toContain('Nordhavn')
})

test('a saved account whose session ended elsewhere leads to sign-in with its email', async ({ page }) => {
  await signInByForm(page, people.vestkyst)
  const token = (await page.evaluate(() => localStorage.getItem('GM_TOKEN'))) ?? ''
  await addAccount(page, people.expert)
  await page.request.post('/api/user/logout', { headers: { authorization: `Bearer ${token}` } })
  await menu(page).click()
  await page.getByRole('button', { name: 'Switch User' }).click()
  await page.getByRole('button', { name: /Vestkyst Logistik ApS/ }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(page.getByLabel('Email')).toHaveValue(people.vestkyst)
})

test('Logout All Accounts ends every session of the device', async ({ page }) => {
  await signInByForm(page, people.vestkyst)
  const first = (await page.evaluate(() => localStorage.getItem('GM_TOKEN'))) ?? ''
  await addAccount(page, people.auditor)
  await menu(page).click()
  await page.getByRole('button', { name: 'Logout All Accounts' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(page.getByText('Saved accounts')).toBeHidden()
  const answer = await page.request.get('/api/user/verify', { headers: { authorization: `Bearer ${first}` } })
  expect(answer.status()).toBe(401)
})

test('a sign-out and a theme of one tab apply to the other tabs', async ({ page, context }) => {
  await signInByForm(page, people.expert)
  const other = await context.newPage()
  await other.goto('/')
  await expect(menu(other)).toBeVisible()
  await menu(page).click()
  await page.getByRole('radiogroup', { name: 'Theme' }).locator('label').last().click()
  await expect(other.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('dialog').getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(other).toHaveURL(/\/auth\/login$/)
})

test('sign-in by keyboard alone', async ({ page }) => {
  await page.goto('/auth/login')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(people.expert)
  await page.keyboard.press('Tab')
  await page.keyboard.type('gridmast-demo')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Login Success')).toBeVisible()
})
