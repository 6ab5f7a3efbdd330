import { expect, type Page } from '@playwright/test'

export const password = 'gridmast-demo'
export const people = {
  sudoer: 'sudoer@nordhavn.example',
  expert: 'expert@nordhavn.example',
  auditor: 'auditor@nordhavn.example',
  custom: 'custom@nordhavn.example',
  vestkyst: 'sudoer@vestkyst.example',
  admin: 'admin@operator.example',
} as const

export const signIn = async (page: Page, email: string) => {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
}
