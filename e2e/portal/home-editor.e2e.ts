import { expect, type Page } from '@playwright/test'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** By keyboard: cards that load late move the button under the pointer. */
const arrange = (page: Page) => page.getByRole('button', { name: 'Arrange dashboard' }).press('Enter')
/** Cards from left to right and from top to bottom, below running activations, first steps, the last visit and the energy picture. */
const above = ['Activation in progress', 'First steps', 'Since your last visit', 'Energy now', 'Reserve now']
const cards = async (page: Page) => {
  const regions = page.getByRole('main').getByRole('region')
  const names = await regions.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  return names.filter((name) => name === null || !above.includes(name))
}
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a sudoer arranges the dashboard by keyboard; an open dashboard shows it without a reload', async ({
  page,
  browser,
  demo,
}) => {
  const other = await (await browser.newContext({ baseURL: demo.url })).newPage()
  await signIn(other, people.custom)
  await expect(other.getByRole('region', { name: /^Frequency/ })).toBeVisible()
  await signIn(page, people.sudoer)
  await page.getByRole('button', { name: 'Arrange dashboard' }).press('Enter')
  await page.getByRole('button', { name: 'Move Frequency right' }).press('Enter')
  await page.getByRole('button', { name: 'Move Frequency right' }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Frequency is now 3 of 3' })).toHaveCount(1)
  await choose(page, 'Market of cell R1C1', 'FFR')
  await page.getByRole('switch', { name: 'Events and faults' }).press(' ')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(page.getByText('Dashboard saved')).toBeVisible()
  await expect(page.getByRole('switch')).toHaveCount(0)
  // A custom user has no revenue card.
  for (const [one, place] of [
    [page, 2],
    [other, 1],
  ] as const) {
    await expect(one.getByRole('region', { name: /^FFR Power capacity/ })).toBeVisible()
    await expect(one.getByRole('region', { name: 'Faults and alerts' })).toHaveCount(0)
    const names = await cards(one)
    expect(names.findIndex((name) => name?.startsWith('Frequency'))).toBe(place)
  }
  await other.context().close()
})

test('a card is dragged to another place of its row; the preview shows the result', async ({ page }) => {
  await signIn(page, people.sudoer)
  await arrange(page)
  const grips = page.getByTitle('Drag to move')
  const last = await page.getByRole('combobox', { name: 'Card of cell R1C3' }).inputValue()
  // The first grip is the row of the energy picture.
  await grips.nth(3).dragTo(grips.nth(1))
  await expect(page.getByRole('combobox', { name: 'Card of cell R1C1' })).toHaveValue(last)
  await choose(page, 'Card of cell R2C1', 'Power of an instance')
  await choose(page, 'Instance of cell R2C1', 'Nordhavn Batteri')
  await page.getByRole('switch', { name: 'Preview' }).click()
  await expect(page.getByRole('combobox')).toHaveCount(0)
  await expect(page.getByRole('region', { name: /^Nordhavn Batteri/ })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByRole('region', { name: /^Nordhavn Batteri/ })).toHaveCount(0)
})

test('the row of sold capacity is arranged: another market, a market of one instance, and an empty cell', async ({
  page,
}) => {
  await signIn(page, people.sudoer)
  await arrange(page)
  await choose(page, 'Market of cell R3C1', 'FFR')
  await choose(page, 'Instance of cell R3C1', 'Nordhavn Batteri')
  await choose(page, 'Market of cell R3C2', 'Nothing')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Dashboard saved')).toBeVisible()
  const sold = page.getByRole('region', { name: /^Sold Capacity \(kW\)/ })
  await expect(sold).toHaveCount(1)
  await expect(sold).toContainText('FFR')
})

test('a reset restores the layout of the operator, after a confirmation', async ({ page }) => {
  await signIn(page, people.sudoer)
  await arrange(page)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(page.getByText('Dashboard saved')).toBeVisible()
  await expect(page.getByRole('region', { name: /^FCR-D-INC Power capacity/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Faults and alerts' })).toBeVisible()
})

test('R1 only a sudoer arranges it, also by its address', async ({ page }) => {
  await signIn(page, people.expert, '/?edit=true')
  await expect(page.getByRole('region', { name: /^Frequency/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Arrange dashboard' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
})

for (const look of looks)
  test(`the editor is axe clean, ${look.colorScheme} ${look.width}`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, '/?edit=true')
    await expect(page.getByRole('combobox', { name: 'Card of cell R1C1' })).toBeVisible()
    await expectClean(page)
    await page.getByRole('combobox', { name: 'Card of cell R1C1' }).click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await expectClean(page)
  })
