import { m } from '@gridmast/contract/messages.ts'
import { expect, type Page } from '@playwright/test'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const app = '/e3-App/evCharging'
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const dialog = (page: Page) => page.getByRole('dialog')

test(
  'a session is started and stopped in the portal; the list and another open screen show it without a reload',
  { tag: '@product' },
  async ({ page, browser }) => {
    test.setTimeout(480_000)
    // A charger of a new demo sends its past sessions before what happens now.
    const whenItsTurn = { timeout: 60_000 }
    await signIn(page, people.expert, `${app}?tab=chargers`)
    await expect(row(page, 'NH-04')).toContainText('Online', { timeout: 60_000 })
    const watcher = await (await browser.newContext()).newPage()
    await signIn(watcher, people.auditor, new URL(`${app}?tab=chargers`, page.url()).href)
    await expect(row(watcher, 'NH-04')).toBeVisible()
    await expect(watcher.getByRole('button', { name: /Remote/ })).toHaveCount(0)

    await page.getByRole('button', { name: 'Remote start/stop of Gæster' }).press('Enter')
    await dialog(page)
      .getByRole('radio', { name: /^Connector 2/ })
      .press('Space')
    const answer = dialog(page).getByRole('status', { name: 'Answer of the charger' })
    // Until then an unfinished one counts as running: for up to two minutes beside other tests.
    await expect(async () => {
      await dialog(page).getByRole('button', { name: 'Start' }).press('Enter')
      await expect(answer).toContainText('Accepted', { timeout: 15_000 })
    }).toPass({ timeout: 240_000 })
    await expect(answer).toContainText('Session running', whenItsTurn)
    // The demo's plan can pause it at once.
    await expect(row(watcher, 'NH-04')).toContainText(/2 (Charging|Paused by the charger)/, whenItsTurn)
    await dialog(page).getByRole('button', { name: 'Stop' }).press('Enter')
    await expect(answer).toContainText('Charging has ended', whenItsTurn)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await watcher.context().close()

    await page.getByRole('tab', { name: 'Transactions' }).click()
    const session = page.getByRole('row').filter({ hasText: 'Remote' }).filter({ hasText: 'Gæster' }).first()
    await expect(session).toContainText('Completed', whenItsTurn)
    await page.getByRole('button', { name: 'Export' }).click()
    const download = await downloadBy(page, () => page.getByRole('menuitem', { name: 'Download CSV' }).click())
    expect(download.suggestedFilename()).toBe('Charging_sessions.csv')
  },
)

test('a tag is created by keyboard alone, blocked in the table and deleted after a question', async ({ page }) => {
  const name = `Varevogn ${Date.now() % 1_000_000}`
  await signIn(page, people.sudoer, `${app}?tab=tag&createTagModal=true`)
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(`t${Date.now()}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText(m.tagCreated)).toBeVisible()
  await expect(page).toHaveURL(/tab=tag$/)
  const active = page.getByRole('switch', { name: `${name} active` })
  await expect(active).toBeChecked()
  await active.press('Space')
  await expect(page.getByText(m.tagUpdated)).toBeVisible()
  await page.reload()
  await expect(active).not.toBeChecked()
  await page.getByRole('button', { name: `Delete ${name}` }).press('Enter')
  await expect(page.getByText(m.tagDeleted)).toBeVisible()
  await expect(row(page, name)).toHaveCount(0)
})

test('no command is sent to a charger that is offline', async ({ page }) => {
  await signIn(page, people.vestkyst, `${app}?tab=chargers`)
  await page.getByRole('button', { name: 'Remote start/stop of Rampe 7' }).click()
  await expect(dialog(page).getByText(m.chargerOffline)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Start' })).toBeDisabled()
})

for (const look of looks)
  test(`each tab is clean: ${look.colorScheme}, ${look.width} px`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, app)
    await expect(page.getByRole('region', { name: 'Connector 1' })).toBeVisible()
    await expect(page.getByRole('region', { name: /^Power/ })).toBeVisible()
    await expectClean(page)
    for (const [tab, shown] of [
      ['tag', 'Tags'],
      ['tag&subTab=group', 'Tag groups'],
      ['transactions', 'Transactions'],
      ['chargers', 'All Chargers'],
    ]) {
      await page.goto(`${app}?tab=${tab}`)
      await expect(page.getByRole('region', { name: shown ?? '', exact: true })).toBeVisible()
      await expectClean(page)
    }
    await page.getByRole('button', { name: 'Remote start/stop of Port 1' }).click()
    await expect(dialog(page).getByRole('radio').first()).toBeVisible()
    await expectClean(page)
  })
