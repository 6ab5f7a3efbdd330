import { m } from '@gridmast/contract/messages.ts'
import { expect, type Page } from '@playwright/test'
import { connectAsync } from 'mqtt'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { newestMail } from '../support/mail.ts'
import { people, signIn } from '../support/people.ts'
import { type Demo, test } from '../support/test.ts'

const tab = '/e3-App/FCR-D-INC?tab=alerts'
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const list = (page: Page) => page.getByRole('dialog', { name: /^Notifications/ })

const measure = async ({ mqttPort }: Demo, p: (number | null)[]) => {
  const edge = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    username: 'edge-lab',
    password: 'gridmast-demo',
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  const t0 = new Date().toISOString()
  const telemetry = { v: 1, seq: 1, t0, dtMs: 1000, f: p.map(() => 50.01), p }
  await edge.publishAsync('gm/v1/edge-lab/telemetry/lab', JSON.stringify(telemetry), { qos: 1 })
  await edge.endAsync()
}

test('an alert is created by keyboard alone, fires from telemetry, rings the open bell, mails, and is acknowledged', async ({
  page,
  demo,
}) => {
  const name = `Lab ${Date.now() % 1_000_000}`
  await signIn(page, people.expert, tab)
  await expect(row(page, 'Køl 1 spidslast')).toBeVisible()
  await page.getByRole('button', { name: 'Create alert' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const lab = page.getByRole('option', { name: 'Lab' })
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(lab).toHaveAttribute('data-combobox-selected', { timeout: 500 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Instance' })).toHaveValue('Lab')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
  await page.keyboard.type('40,5')
  await page.keyboard.press('Enter')
  await expect(page.getByText(m.alertCreated)).toBeVisible()
  await expect(row(page, name)).toContainText('40,5 kW')

  await page.getByRole('button', { name: `Edit ${name}` }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(people.expert)
  await page.keyboard.press('Escape')

  await measure(demo, [39, 41, null, 41])
  await expect(bell(page)).toHaveAccessibleName(/new$/)
  await bell(page).click()
  const link = list(page).getByRole('link', { name: new RegExp(name) })
  await expect(link).toBeVisible()
  await expect(link).toContainText('FCR-D-INC')
  expect(await newestMail(page, `Alert: ${name}`)).toContain(people.expert)
  await link.click()
  await expect(page).toHaveURL(/\/e3-Legacy\/FCR-D-INC\?trigger=/)
  const facts = page.getByRole('region', { name })
  await expect(facts.getByText('Greater Than 40,5 kW')).toBeVisible()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Door was open')
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(facts.getByText('Door was open')).toBeVisible()
  await expect(facts.getByText(people.expert)).toBeVisible()

  await page.goto(`${tab}&subTab=triggered`)
  await expect(row(page, name)).toHaveCount(1)
  await expect(row(page, name)).toContainText('Acknowledged')
})

test('an alert is changed and deleted, and the deletion undone once', async ({ page }) => {
  await signIn(page, people.sudoer, '/e3-App/FCR-D-DEC?tab=alerts')
  await expect(row(page, 'Køl 2 står stille')).toContainText('Off')
  await page.getByRole('button', { name: 'Edit Køl 2 står stille' }).click()
  await page.getByRole('dialog').getByLabel('Notification').check({ force: true })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText(m.alertUpdated)).toBeVisible()
  await expect(row(page, 'Køl 2 står stille')).toContainText('On')
  const remove = page.getByRole('button', { name: 'Delete Køl 2 står stille' })
  await remove.click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await remove.click()
  await expect(page.getByText(m.alertDeleted)).toBeVisible()
  await expect(row(page, 'Køl 2 står stille')).toHaveCount(0)
})

test('the bell is silent for a user who has muted every hour; the row is listed, and other users are notified', async ({
  page,
}) => {
  await signIn(page, people.auditor, '/profile')
  await page.getByRole('button', { name: 'Add a time' }).click()
  const form = page.getByRole('form', { name: 'Muted times' })
  await form.getByRole('textbox', { name: 'From' }).fill('00:00')
  await form.getByRole('textbox', { name: 'To' }).fill('23:59')
  await form.getByRole('button', { name: 'Save muted times' }).click()
  await expect(page.getByText(m.settingSaved)).toBeVisible()
  await bell(page).click()
  await expect(page.getByText(m.noNotifications)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/e3-App/FCR?tab=alerts&subTab=triggered')
  await expect(row(page, 'Fryser over 650 kW').first()).toBeVisible()
  await page.goto('/profile')
  await form.getByRole('button', { name: 'Remove muted time 1' }).click()
  await form.getByRole('button', { name: 'Save muted times' }).click()
  await expect(bell(page)).toHaveAccessibleName(/new$/)
})

test('R1 an auditor reads alerts and cannot change them', async ({ page }) => {
  await signIn(page, people.auditor, tab)
  await expect(row(page, 'Køl 1 spidslast')).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Create alert|Edit |Delete )/ })).toHaveCount(0)
})

test('R1 a custom user without the apps is not authorized where a notification leads', async ({ page }) => {
  await signIn(page, people.custom, '/e3-Legacy/FCR')
  await expect(page.getByRole('heading', { name: m.notAuthorized })).toBeVisible()
})

test('T1 the bell of another company shows no notification of this company', async ({ page }) => {
  await signIn(page, people.vestkyst)
  await bell(page).click()
  // Budgets of its own charging are listed when an earlier journey spent one.
  const own = list(page).getByText(/^Charging budget of/)
  await expect(list(page).getByText(m.noNotifications).or(own).first()).toBeVisible()
  await expect(list(page).getByText(/Fryser|Køl|Varmepumpe|Batteri|Lab/)).toHaveCount(0)
})

test('home lists the alerts of today, each leading to its page', async ({ page }) => {
  await signIn(page, people.sudoer)
  const card = page.getByRole('region', { name: 'Faults and alerts' })
  const link = page.getByRole('link', { name: /Fryser over 650 kW/ }).first()
  // Six faults are listed, alerts are the last.
  const all = card.getByRole('button', { name: /^View all/ })
  await expect(link.or(all).first()).toBeVisible()
  if (!(await link.isVisible())) await all.click()
  await link.click()
  await expect(page.getByRole('region', { name: /^Power/ }).getByText('Simulated')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Fryser over 650 kW' })).toBeVisible()
})

for (const look of looks)
  test(`the alerts, their form, the triggered alerts and their page are axe clean, ${look.colorScheme} ${look.width}`, async ({
    page,
  }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, `${tab}&createAlertModal=true`)
    await expect(page.getByRole('dialog', { name: 'Create Alerts' })).toBeVisible()
    await expectClean(page)
    await page.goto('/e3-App/FCR?tab=alerts&subTab=triggered')
    const link = page.getByRole('link', { name: 'Fryser over 650 kW' }).first()
    await expect(link).toBeVisible()
    await expectClean(page)
    await link.click()
    await expect(page.getByRole('textbox', { name: 'Comment' })).toBeVisible()
    await expectClean(page)
    await bell(page).click()
    await expect(list(page)).toBeVisible()
    await expectClean(page)
  })
