import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, formatDate, today } from '@gridmast/contract/time.ts'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const app = '/e3-App/FCR-D-INC'
const list = (page: Page) => page.getByRole('navigation', { name: 'Instances' })

test('the app of a licence from the sidebar: the first instance is chosen, its power is live, the next one is in the address', async ({
  page,
}) => {
  await signIn(page, people.sudoer, '/e3-App')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^FCR-D-INC/ })
    .click()
  await expect(page).toHaveURL(/\/e3-App\/FCR-D-INC\?licenseTypeId=[0-9a-f-]{36}$/)
  await expect(list(page).getByRole('button', { name: /Nordhavn Køl 1/ })).toHaveAttribute('aria-current', 'true')
  const card = page.getByRole('region', { name: /^Nordhavn Køl 1 Power \(kW\)/ })
  await expect(card.getByText('Simulated')).toBeVisible()
  await expect(card.getByText(/^Last Reported:/)).toBeVisible()
  await expect(
    list(page)
      .getByText(/\d,\d kW$/)
      .first(),
  ).toBeVisible()
  await list(page)
    .getByRole('button', { name: /Nordhavn Ladepark/ })
    .click()
  await expect(page).toHaveURL(/instance=[0-9a-f-]{36}/)
  await page.getByRole('radio', { name: 'Consumption (kWh)' }).check()
  await expect(page).toHaveURL(/subTab=consumption/)
  await page.reload()
  await expect(page.getByRole('region', { name: /^Nordhavn Ladepark Consumption \(kWh\)/ })).toBeVisible()
})

test('a day of an instance is compared with any other day, which the address keeps', async ({ page }) => {
  await signIn(page, people.auditor, app)
  const card = page.getByRole('region', { name: /^Nordhavn Køl 1 Power \(kW\)/ })
  await expect(card.getByText(/^Last Reported:/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: 'Another day' }).click()
  const compared = addDays(today(Date.now()), -3)
  const field = page.getByRole('textbox', { name: 'Compared day' })
  await field.fill(formatDate(compared))
  await field.press('Enter')
  await expect(page).toHaveURL(new RegExp(`compare=${compared}`))
  await expect(card.getByText(formatDate(compared), { exact: true })).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue(formatDate(compared))
  await expect(card.getByText(formatDate(compared), { exact: true })).toBeVisible()
  await expectClean(page)
})

test('a day of an instance is downloaded as an Excel file', async ({ page }) => {
  await signIn(page, people.auditor, app)
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await downloadBy(page, () => page.getByRole('menuitem', { name: 'Download Excel' }).click())
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
})

test('R1 an expert edits an instance with a double click; the portal confirms it and shows the new name everywhere', async ({
  page,
}) => {
  await signIn(page, people.expert, `${app}?tab=details`)
  const table = page.getByRole('table', { name: 'All Instances' })
  await table.getByText('Nordhavn Ladepark', { exact: true }).dblclick()
  const dialog = page.getByRole('dialog', { name: 'Edit instance' })
  const rename = async (name: string) => {
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    // Checked first: the toast is shown for two seconds, and a busy machine may need longer for the table.
    await expect(page.getByText(m.detailsUpdated).first()).toBeVisible()
    await expect(table.getByText(name, { exact: true })).toBeVisible()
  }
  await rename('Ladepark Nord')
  await expect(page.getByRole('button', { name: 'Equipment Testing' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(list(page).getByRole('button', { name: /Ladepark Nord/ })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Edit Ladepark Nord' }).press('Enter')
  await rename('Nordhavn Ladepark')
})

test('all instances are downloaded as the file Generic_Instance', async ({ page }) => {
  await signIn(page, people.auditor, `${app}?tab=details`)
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await downloadBy(page, () => page.getByRole('menuitem', { name: 'Download CSV' }).click())
  expect(file.suggestedFilename()).toBe('Generic_Instance.csv')
})

test('R1 an auditor reads and cannot change anything; a custom user without the app is not authorized', async ({
  page,
}) => {
  await signIn(page, people.auditor, `${app}?tab=details`)
  await expect(page.getByRole('table', { name: 'All Instances' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit |Equipment Testing/ })).toHaveCount(0)
})

test('R1 a custom user without the app is not authorized', async ({ page }) => {
  await signIn(page, people.custom, app)
  await expect(page.getByRole('heading', { name: m.notAuthorized })).toBeVisible()
})

test('R1 a sudoer opens Equipment Testing of an instance', async ({ page }) => {
  await signIn(page, people.sudoer, `${app}?tab=details`)
  await page.getByRole('button', { name: 'Equipment Testing' }).first().click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: /Equipment Testing/ })).toBeVisible()
})

test('the palette opens an instance in the app of its licence', async ({ page }) => {
  await signIn(page, people.sudoer)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('Fryselager')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/e3-App\/FCR\?licenseTypeId=.*instance=/)
  await expect(page.getByRole('region', { name: /^Esbjerg Fryselager Power/ })).toBeVisible()
})

test('a licence without an app of its own leads to its page', async ({ page }) => {
  await signIn(page, people.sudoer, '/e3-App/loadShifting')
  await expect(page.getByText('This license has no app of its own')).toBeVisible()
  await page.getByRole('link', { name: 'Open Load Shifting' }).click()
  await expect(page).toHaveURL(/\/insights\/loadShifting$/)
})

test('a licence by its id under /e3; an unknown one is not found, with a contact and a link home', async ({ page }) => {
  await signIn(page, people.sudoer, '/e3')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^FCR-D-INC/ })
    .click()
  await expect(page).toHaveURL(/\/e3\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()
  await page.goto('/e3/00000000-0000-4000-8000-000000000000')
  await expect(page.getByRole('heading', { name: m.licenseNotFound })).toBeVisible()
  await expect(page.getByText('Your operator enables features for your company. Ask your operator.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

for (const look of looks)
  for (const tab of ['overview', 'details'])
    test(`the tab ${tab} is axe clean, ${look.colorScheme} ${look.width}`, async ({ page }) => {
      await useLook(page, look)
      await signIn(page, people.sudoer, `${app}?tab=${tab}`)
      await expect(page.getByText(tab === 'overview' ? /^Last Reported:/ : 'Nordhavn Køl 1').first()).toBeVisible()
      await expectClean(page)
      if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/e3-shots/e2e-${tab}-${look.width}.png` })
    })
