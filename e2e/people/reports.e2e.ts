import { expect } from '@playwright/test'
import { expectClean } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const name = 'Activations for the board'

test('a list is sent by email from its export, now and every week, and deleted with a toast that undoes it', async ({
  page,
}) => {
  await signIn(page, people.sudoer, '/emailSubscriptions')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Send by email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send by email' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('combobox', { name: 'Schedule' }).click()
  await page.getByRole('option', { name: 'Mondays' }).click()
  await dialog.getByRole('button', { name: 'Add report' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Mondays at 07:00')
  await expect(row).toContainText('Never sent')
  await page.getByRole('button', { name: `Send ${name} now` }).click()
  await expect(row).toContainText(/\d\d\.\d\d\.\d{4} \d\d:\d\dSent/, { timeout: 90_000 })
  await expectClean(page)
  await page.goto('/dev/mail')
  await expect(page.getByText(new RegExp(name)).first()).toBeVisible()
  await page.goto('/reports')
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
})

test('a printed screen has its own head and no frame of the portal', async ({ page }) => {
  await signIn(page, people.sudoer, '/reports')
  const head = page.locator('[data-print=head]')
  await expect(head).toContainText('Reports')
  await expect(head).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(head).toBeVisible()
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
})

test('home is sent as one report of its cards', async ({ page }) => {
  await signIn(page, people.sudoer)
  await expect(page.getByRole('region', { name: 'Faults and alerts' })).toBeVisible()
  await page.getByRole('button', { name: 'Send dashboard by email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send by email' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Home for the board')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Add report' }).click()
  const row = page.getByRole('row', { name: /Home for the board/ })
  await expect(row).toContainText('Dashboard · PDF')
  await page.getByRole('button', { name: 'Send Home for the board now' }).click()
  await expect(row).toContainText(/\d\d\.\d\d\.\d{4} \d\d:\d\dSent/, { timeout: 90_000 })
})
