import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { addDays, today } from '@gridmast/contract/time.ts'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { cutIn } from '../support/narrow.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const path = '/insights/dataHub?tab=allMeters'
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialog = (page: Page) => page.getByRole('dialog')

/** The demo's users add their keys after the start; until then the table is shorter. On a phone only a meter of the first page is visible. */
const open = async (page: Page, email: string, meter = 'Kajbelysning') => {
  await signIn(page, email, path)
  const shown = page.getByText(meter, { exact: true })
  await expect(async () => {
    if (!(await shown.isVisible())) await page.reload()
    await expect(shown).toBeVisible({ timeout: 3000 })
  }).toPass()
}

// Before the only unconfigured meter is configured.
test('a click on a key closes it after a moment; a meter without prices cannot be selected', async ({ page }) => {
  await open(page, people.auditor)
  await page.goto('/insights/dataHub')
  const list = page.getByRole('navigation', { name: 'Meters' })
  await list.getByText('Not configured').click()
  await expect(page.getByText('Configuration required! Please configure the meter')).toBeVisible()
  const key = list.getByRole('button', { name: /99 00 00 07/ })
  await key.click()
  await expect(key).toHaveAttribute('aria-expanded', 'false')
  await expect(list.getByRole('button', { name: /Fryserum 1/ })).toHaveCount(0)
})

test('an expert configures a meter: missing fields are reported, a name of four characters is refused, then the meter can be switched', async ({
  page,
}) => {
  await open(page, people.expert)
  await expect(page.getByRole('columnheader')).toHaveText(['S.No', '', 'Key/CVR', 'Meter Name', 'Meter Id', 'Actions'])
  await expect(page.getByRole('button', { name: 'Add Key' })).toHaveCount(0)
  const gatehouse = page.getByRole('switch', { name: 'Dokvej 8, 6700 Esbjerg enabled' })
  await gatehouse.press(' ')
  await expect(page.getByText('Configuration required! Please configure the meter')).toBeVisible()
  await expect(gatehouse).not.toBeChecked()

  await page.getByRole('button', { name: 'Configure Dokvej 8, 6700 Esbjerg' }).click()
  const form = dialog(page)
  await form.getByLabel('Name').fill('Gate')
  await form.getByLabel('Tax value').fill('a lot')
  await form.getByRole('button', { name: 'Save changes' }).click()
  for (const words of ['Must be at least 5 characters', 'PriceSignal is required', 'only decimal or integer allowed'])
    await expect(form.getByText(words)).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Keep editing' })
    .click()
  await form.getByLabel('Name').fill('Portvagt')
  await form.getByLabel('Tax value').fill('260,5')
  await form
    .getByRole('combobox', { name: 'Price signal' })
    .or(form.getByRole('textbox', { name: 'Price signal' }))
    .first()
    .click()
  await page.getByRole('option', { name: 'DK1' }).click()
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Configuration Updated!')).toBeVisible()
  const toggle = page.getByRole('switch', { name: 'Portvagt enabled' })
  await expect(toggle).toBeChecked()
  // A reload would end the request.
  await Promise.all([page.waitForResponse((answer) => answer.request().method() !== 'GET'), toggle.press(' ')])
  await expect(toggle).not.toBeChecked()
  await page.reload()
  await expect(toggle).not.toBeChecked()
})

test('a sudoer adds a key, names its group and deletes it again; a number without an authorisation is refused', async ({
  page,
}) => {
  await open(page, people.sudoer)
  const add = async (key: string) => {
    await page.getByRole('button', { name: 'Add Key' }).first().click()
    await dialog(page).getByLabel('Key (CVR)').fill(key)
    await dialog(page).getByRole('button', { name: 'Add Key' }).click()
  }
  await add('1234567')
  await expect(page.getByText('A CVR number has 8 digits')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await add('99000031')
  await expect(page.getByText('No Eloverblik authorization found for CVR 99000031')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await add('99 00 00 23')
  await expect(page.getByText('Key added successfully!')).toBeVisible()
  await expect(row(page, 'Færgehavnsvej')).toHaveCount(2)

  await page.getByRole('button', { name: 'Edit 99 00 00 23' }).first().click()
  await dialog(page).getByLabel('Name').fill('Terminal')
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(row(page, '99 00 00 23 Terminal')).toHaveCount(2)
  await page.getByRole('button', { name: 'Edit 99 00 00 23 Terminal' }).first().click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page).getByText(/Deleting a group also deletes its devices/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Group Deleted!')).toBeVisible()
  await expect(row(page, 'Færgehavnsvej')).toHaveCount(0)
})

test('an auditor reads the table and downloads a file of the selected meters', async ({ page }) => {
  await open(page, people.auditor)
  await expect(page.getByRole('columnheader', { name: 'Actions' })).toHaveCount(0)
  await expect(page.getByRole('switch')).toHaveCount(0)
  await page.getByLabel('Find a meter').fill('orientkaj')
  await expect(page.getByRole('row')).toHaveCount(5)
  await page.getByRole('button', { name: 'Export' }).click()
  const form = dialog(page)
  await expect(form).toBeVisible()
  for (const group of await form.getByRole('checkbox', { name: /^99/ }).all()) {
    await group.check()
    await group.uncheck()
  }
  await expect(form.getByText('Choose at least one meter')).toBeVisible()
  await form.getByRole('checkbox', { name: 'Kontor' }).check()
  await form.getByText('Day', { exact: true }).click()
  await expect(form.getByText('Meters: 1 · rows: 30')).toBeVisible()
  const file = await downloadBy(page, () => form.getByRole('button', { name: 'Download' }).click())
  const now = today(Date.now())
  expect(file.suggestedFilename()).toBe(`Meters_${addDays(now, -30)}--${addDays(now, -1)}.xlsx`)
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')
})

test('T1 another company sees its own meters only and cannot open a key of the first company', async ({ page }) => {
  await open(page, people.vestkyst, 'Fiskehal')
  await expect(page.getByRole('row')).toHaveCount(4)
  for (const name of ['Fryserum 1', '99 00 00 07', 'Nordhavn Frost'])
    await expect(page.getByText(name, { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add Key' }).click()
  await dialog(page).getByLabel('Key (CVR)').fill('99000007')
  await dialog(page).getByRole('button', { name: 'Add Key' }).click()
  await expect(
    page.getByText('This CVR number is not registered for your company here. Ask your operator to add it.'),
  ).toBeVisible()
})

for (const look of looks)
  test(`axe finds nothing on all meters and its dialogs, ${look.colorScheme}, ${look.width} wide`, async ({ page }) => {
    await useLook(page, look)
    await open(page, people.sudoer, 'Isvandsanlæg')
    await expectClean(page)
    for (const name of ['Add Key', 'Settings of Fryserum 1', 'Edit 99 00 00 07 Nordhavn Frost', 'Export']) {
      await page.getByRole('button', { name }).first().click()
      await expect(dialog(page)).toBeVisible()
      await expectClean(page)
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
    }
  })

test('at 400 % nothing is cut on all meters and in its dialogs', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, people.sudoer, 'Isvandsanlæg')
  expect.soft(await cutIn(page)).toEqual([])
  for (const name of ['Add Key', 'Settings of Fryserum 1', 'Edit 99 00 00 07 Nordhavn Frost', 'Export']) {
    await page.getByRole('button', { name }).first().click()
    await expect(dialog(page)).toBeVisible()
    expect.soft(await cutIn(page), name).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
})
