import { expect } from '@playwright/test'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('T5 S1 a wall screen opens by its link, rotates, reads only, and is empty once it is signed out', async ({
  page,
  browser,
  demo,
}) => {
  await signIn(page, people.expert, '/security')
  await page.getByRole('button', { name: 'Show on a wall screen' }).click()
  await page.getByLabel('Name of the screen').fill('Control room')
  await page.getByRole('button', { name: 'Move Faults and alerts up' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('region', { name: 'Link of the wall screen' }).innerText()
  expect(link).toContain(`${demo.url}/auth/wall/`)
  await expectClean(page)
  await page.getByRole('button', { name: 'Done' }).click()

  const device = await browser.newContext({ baseURL: demo.url, viewport: { width: 1920, height: 1080 } })
  const screen = await device.newPage()
  await screen.goto(link)
  await screen.getByRole('button', { name: 'Start the wall screen' }).click()
  await expect(screen).toHaveURL(/\/wall$/)
  await expect(screen.getByRole('heading', { level: 1 })).toHaveText('Nordhavn Frost A/S · Control room')
  await screen.goto('/wall?seconds=5')
  const shown = screen.getByRole('region').filter({ visible: true })
  const titles = new Set<string>()
  const collect = async () => titles.add((await shown.first().getAttribute('aria-label')) ?? '').size
  await expect.poll(collect, { timeout: 60_000, intervals: [1000] }).toBe(5)
  await screen.keyboard.press('Space')
  await expect(screen.getByText('Stopped on this card')).toBeVisible()
  const token = (await screen.evaluate((key) => localStorage.getItem(key), storageKeys.token)) ?? ''
  const headers = { authorization: `Bearer ${token}` }
  for (const path of ['/api/user/sessions', '/api/client/alert/notification'])
    expect(await (await screen.request.get(path, { headers })).json()).toMatchObject({ message: m.wallRefused })
  await screen.goto('/profile')
  await expect(screen).toHaveURL(/\/wall$/)

  const again = await browser.newContext({ baseURL: demo.url })
  const late = await again.newPage()
  await late.goto(link)
  await late.getByRole('button', { name: 'Start the wall screen' }).click()
  await expect(late.getByRole('main').getByRole('alert')).toHaveText(/This link has expired or was used/)
  await again.close()

  await page.reload()
  await page.getByRole('button', { name: 'Change cards of Control room' }).click()
  const cards = page.getByRole('dialog', { name: 'Cards of Control room' })
  const others = cards.getByRole('checkbox', { name: /^(Energy now|Frequency|Reserve now|Power cost)/, checked: true })
  await expect(others.first()).toBeVisible()
  while ((await others.count()) > 0) await others.first().click()
  await cards.getByRole('button', { name: 'Save cards' }).click()
  await expect(shown).toHaveAccessibleName('Faults and alerts')
  await expect(screen.getByRole('region')).toHaveCount(1)
  await page.getByRole('button', { name: /^Sign out Control room/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(screen.getByText('This screen is signed out and shows no data.')).toBeVisible()
  await expect(screen.getByText('Nordhavn')).toHaveCount(0)
  await device.close()
})

for (const look of looks)
  test(`each card is clean: ${look.colorScheme}, ${look.width}`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.expert)
    for (const card of ['energy', 'frequency', 'reserve', 'alerts', 'price']) {
      await page.goto(`/wall?cards=${card}&scheme=${look.colorScheme}`)
      await expect(page.getByRole('region').filter({ visible: true })).toBeVisible()
      await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
      await expectClean(page)
    }
  })
