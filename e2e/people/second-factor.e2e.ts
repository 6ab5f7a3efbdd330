import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { password, people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const codeOf = (secret: string, atMs = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })

const tabTo = async (page: Page, name: string | RegExp) => {
  const named = (role: 'textbox' | 'button' | 'link') => page.getByRole(role, { name })
  const wanted = named('textbox').or(named('button')).or(named('link')).first()
  for (let i = 0; i < 60; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way to ${String(name)} by keyboard`)
}

test('two-step sign-in is set up, required at the next sign-in, answered by the app or a recovery code, and turned off', async ({
  page,
}) => {
  await signIn(page, people.custom, '/security')
  await page.getByRole('button', { name: 'Set up' }).click()
  const setUp = page.getByRole('form', { name: 'Set up two-step sign-in' })
  await setUp.getByLabel(/^Current password/).fill(password)
  await setUp.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = (await setUp.locator('code').innerText()).replaceAll(' ', '')
  await setUp.getByLabel(/^Code from the app/).fill('000000')
  await setUp.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('The code is not correct')).toBeVisible()
  await setUp.getByLabel(/^Code from the app/).fill(codeOf(secret))
  await setUp.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Two-step sign-in is on').first()).toBeVisible()
  const recovery = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(await page.getByRole('dialog').innerText())?.[0] ?? ''
  expect(recovery).not.toBe('')

  const challenge = async () => {
    await page.evaluate(() => localStorage.clear())
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill(people.custom)
    await page.getByLabel(/^Password/).fill(password)
    await page.keyboard.press('Enter')
    await expect(page.locator('input[autocomplete="one-time-code"]')).toBeFocused()
  }
  await challenge()
  // The confirming code is used, so the next one is entered half a minute early, within the allowed drift.
  await page.keyboard.type(codeOf(secret, Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/$/)

  await challenge()
  await page.getByRole('button', { name: /recovery code/i }).click()
  await page.locator('form input').last().fill(recovery.toLowerCase())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/$/)

  await page.goto('/security')
  await page.getByRole('button', { name: 'Turn off' }).click()
  const remove = page.getByRole('form', { name: 'Turn off two-step sign-in?' })
  await remove.getByLabel(/^Current password/).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Two-step sign-in is off').first()).toBeVisible()
})

test('the profile is edited by keyboard alone', async ({ page }) => {
  await signIn(page, people.expert)
  await tabTo(page, /Profile menu/)
  await page.keyboard.press('Enter')
  await tabTo(page, 'Edit Profile')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/profile$/)
  await tabTo(page, /^Name/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Karen Holm Jensen')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Profile updated successfully!')).toBeVisible()
})
