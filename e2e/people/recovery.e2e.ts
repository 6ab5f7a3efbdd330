import { expect } from '@playwright/test'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { newestMail } from '../support/mail.ts'
import { password } from '../support/people.ts'
import { test } from '../support/test.ts'

const forgetful = 'auditor@vestkyst.example'
const chosen = 'kaffe-og-kabler-7'

test('a forgotten password is replaced by keyboard alone, with the code of the mail; then sign-in with the email filled', async ({
  page,
}) => {
  await page.goto('/auth/login')
  await page.getByRole('link', { name: 'Forgot password?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Email')).toBeFocused()
  const sent = page.getByText('OTP sent on your email!').waitFor() // started in advance: the toast is shown for two seconds
  await page.keyboard.type(`${forgetful}\n`)
  await sent
  await expect(page.getByRole('timer')).toHaveText(/^(2:00|1:5\d)$/)
  await expect(page.getByRole('button', { name: 'Resend code' })).toBeDisabled()
  const code = /\b\d{8}\b/.exec(await newestMail(page, forgetful))?.[0] ?? ''
  await expect(page.getByLabel('One-time code')).toBeFocused()
  await page.keyboard.type(code)
  await page.getByLabel(/^New password/).focus()
  await page.keyboard.type(chosen)
  await page.getByLabel(/^Confirm new password/).focus()
  const isReset = page.getByText('Password reset successfully!').waitFor()
  await page.keyboard.type(`${chosen}\n`)
  await isReset
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(page.getByLabel('Email')).toHaveValue(forgetful)
  await page.keyboard.type(`${chosen}\n`)
  await expect(page).toHaveURL(/\/cfmdashboard$/)
})

test('S4 a wrong code is reported, and the typed text is kept', async ({ page }) => {
  await page.goto('/auth/forgot-password')
  await page.getByLabel('Email').fill('nobody@nordhavn.example')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('One-time code').fill('00000000')
  await page.getByLabel(/^New password/).fill(chosen)
  await page.getByLabel(/^Confirm new password/).fill(chosen)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page.getByLabel('One-time code')).toHaveValue('00000000')
})

test('the request for an account is sent and answered with thanks', async ({ page }) => {
  await page.goto('/auth/login')
  await page.getByRole('link', { name: 'Request an account' }).click()
  await page.getByLabel('Name').fill('Lone Krogh')
  await page.getByLabel('Company').fill('Ny Kunde ApS')
  await page.getByLabel('Email').fill('lone@nykunde.example')
  await page.getByLabel('Message').fill('Vi har to kølehuse.')
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByRole('heading', { name: 'Your request is sent' })).toBeVisible()
})

test('S5 the id of a sign-in link leaves the address bar; an expired link is reported on the sign-in page', async ({
  page,
}) => {
  const asked = page.waitForRequest('**/api/user/login-link')
  await page.goto('/auth/login/not-a-living-link')
  expect((await asked).postDataJSON()).toEqual({ id: 'not-a-living-link' })
  await expect(page).toHaveURL(/\/auth\/login$/)
  await expect(page.getByText('This sign-in link has expired or was used. Ask for a new one.').first()).toBeVisible()
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2)
  await expect(page.getByLabel('Email')).toBeVisible()
})

for (const look of looks)
  test(`axe finds nothing on recovery and request, ${look.colorScheme}, ${look.width} wide`, async ({ page }) => {
    await useLook(page, look)
    await page.goto('/auth/request-account')
    await page.getByRole('button', { name: 'Send request' }).click()
    await expectClean(page)
    await page.goto('/auth/forgot-password')
    await page.getByLabel('Email').fill('somebody@nordhavn.example')
    await page.getByRole('button', { name: 'I already have a code' }).click()
    await page.getByRole('button', { name: 'Reset password' }).click()
    await expect(page.getByText('This field is required').first()).toBeVisible()
    await expectClean(page)
  })

test('the old password does not work any more', async ({ page }) => {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(forgetful)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('form').getByText('The email or password is not correct')).toBeVisible()
})
