import { expect, type Page } from '@playwright/test'
import { storageKeys } from '@gridmast/contract/limits.ts'

export const password = 'gridmast-demo'
export const people = {
  sudoer: 'sudoer@nordhavn.example',
  expert: 'expert@nordhavn.example',
  auditor: 'auditor@nordhavn.example',
  custom: 'custom@nordhavn.example',
  vestkyst: 'sudoer@vestkyst.example',
  vestkystAuditor: 'auditor@vestkyst.example',
  admin: 'admin@operator.example',
} as const

const shell = (page: Page) => expect(page.getByRole('navigation').first()).toBeVisible()

/** Signs in by form and waits for 'Login Success'; the account is saved on the device. */
export const signInByForm = async (page: Page, email: string) => {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  // In parallel: the toast is shown for two seconds, and a busy machine may need longer for the page.
  const toast = page.getByText('Login Success').waitFor()
  await Promise.all([page.getByRole('button', { name: 'Sign in' }).click(), toast, shell(page)])
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible() // the user's own first screen, also after a redirect
}

/** Opens a page with a session created by the call, for journeys after sign-in. */
export const signIn = async (page: Page, email: string, path = '/') => {
  const answer = await page.request.post('/api/user/login', { data: { user: { email, password } } })
  const { data } = (await answer.json()) as { data: { token: string } } // the shape is checked by the contract's tests
  const entry = [storageKeys.token, data.token] as const
  await page.addInitScript(([key, token]) => {
    if (sessionStorage.getItem('signed in')) return // a later load of this tab: the token may be removed on purpose
    sessionStorage.setItem('signed in', 'once')
    localStorage.setItem(key, token)
  }, entry)
  await page.goto(path)
  await shell(page)
}
