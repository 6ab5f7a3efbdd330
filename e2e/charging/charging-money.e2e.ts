import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import type { SimulatedCharger } from '../../simulators/charge-point/charger.ts'
import { expectClean } from '../support/axe.ts'
import { addCharger } from '../support/charger.ts'
import { newestMail } from '../support/mail.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Jobs run every minute to count, capture and mail a session. */
const countedMs = 180_000

const app = '/e3-App/evCharging'
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const dialog = (page: Page) => page.getByRole('dialog').last()
const press = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name }).last().click()
const fill = (page: Page, name: string, text: string) =>
  dialog(page).getByRole('textbox', { name, exact: true }).fill(text)
const choose = async (page: Page, field: string, option: string) => {
  await dialog(page).getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).last().click()
}

const addTag = async (page: Page, tag: string, group?: string) => {
  await page.goto(`${app}?tab=tag&createTagModal=true`)
  await fill(page, 'Name', tag)
  await fill(page, 'Tag ID', tag)
  if (group) await choose(page, 'Group', group)
  await press(page, 'Create tag')
  await expect(page.getByText(m.tagCreated)).toBeVisible()
}

let charger: SimulatedCharger | null = null
test.afterEach(() => {
  charger?.close()
  charger = null
})

test('a driver pays with MobilePay: reserved, captured once for what the session cost, refunded in parts; an auditor only reads', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(4 * countedMs)
  const name = `Kunde ${Date.now() % 1_000_000}`
  await signIn(page, people.vestkyst, '/cfm/tools')
  charger = await addCharger(page, demo, name)
  const here = charger
  await page.goto(`${app}?tab=chargers`)
  await page.getByRole('button', { name: 'Set price' }).click()
  await fill(page, 'Driver pays', '3')
  await press(page, 'Set price')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goto('/cfm/mobilepay')
  await page.getByRole('button', { name: 'New payment' }).click()
  await choose(page, 'Charger', name)
  await press(page, 'Request payment')
  const payment = page.getByRole('dialog', { name: 'Payment', exact: true })
  await expect(payment.getByText('MobilePay is waiting for the driver')).toBeVisible()
  await expectClean(page)
  await expect(payment.getByText(/^Approved by the driver/)).toContainText('250,00 DKK', { timeout: countedMs })
  await expect(payment.getByText('Session started')).toBeVisible({ timeout: countedMs })
  here.pass(300)
  await here.unplug(1)
  const captured = payment.getByText(/^Captured/)
  await expect(captured).toBeVisible({ timeout: countedMs })
  const [, paid = ''] = /([\d,]+) DKK/.exec(await captured.innerText()) ?? []
  await expect(payment.getByText('Session cost', { exact: true }).locator('../..')).toContainText(paid)
  // The label of the figure, and the state.
  await expect(payment.getByText('Paid', { exact: true })).toHaveCount(2)

  const form = page.getByRole('form', { name: 'Refund' })
  const confirm = async () => {
    await form.getByRole('button', { name: 'Refund' }).click()
    const question = page.getByRole('dialog', { name: /^Refund [\d.,]+ DKK\?$/ })
    await question.getByRole('button', { name: 'Refund' }).click()
    await expect(form).toHaveCount(0)
  }
  await payment.getByRole('button', { name: 'Refund' }).click()
  await form.getByRole('textbox', { name: 'Amount' }).fill('1')
  await confirm()
  await expect(payment.getByText('Partly refunded')).toBeVisible({ timeout: countedMs })
  await expect(payment.getByText(/^Refunded 1,00 DKK/)).toHaveCount(1)
  await payment.getByRole('button', { name: 'Refund' }).click()
  await confirm()
  await expect(payment.getByText(/^Refunded [\d.,]+ DKK/)).toHaveCount(2, { timeout: countedMs })
  await expect(payment.getByText(/^Captured/)).toHaveCount(1)
  await expect(payment.getByRole('button', { name: 'Refund' })).toHaveCount(0)

  const reader = await (await browser.newContext()).newPage()
  await signIn(reader, people.vestkystAuditor, page.url())
  await expect(reader.getByRole('dialog', { name: 'Payment', exact: true }).getByText(/^Captured/)).toContainText(paid)
  for (const tool of ['Refund', 'Release', 'New payment', 'Sales unit'])
    await expect(reader.getByRole('button', { name: tool, exact: true })).toHaveCount(0)
  await reader.context().close()
})

test('a group’s budget: the warning, then the stop of the running session, by mail and bell; a larger one allows charging again', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(4 * countedMs)
  const [group, tag] = [`Hold ${Date.now() % 1_000_000}`, `B${Date.now()}`]
  await signIn(page, people.vestkyst, `${app}?tab=tag&subTab=group`)
  const setBudget = async (kwh: string, button: string) => {
    await fill(page, 'Energy', kwh)
    await fill(page, 'Warn at', '10')
    await press(page, button)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Create group' }).click()
  await fill(page, 'Name', group)
  await setBudget('0,5', 'Create group')
  await addTag(page, tag, group)
  charger = await addCharger(page, demo, `Hold ved ${tag}`)
  const here = charger
  expect(await here.plugIn(1, tag)).toBe(true)

  here.pass(60)
  await page.goto(`${app}?tab=tag&subTab=group`)
  const budget = page.getByRole('meter', { name: `Budget of ${group} spent this month` })
  await expect(async () => {
    await page.reload()
    await expect(budget).toHaveAttribute('aria-valuetext', /^[23]\d %, 0,[12] \/ 0,5 kWh/, { timeout: 3000 })
  }).toPass({ timeout: countedMs })
  expect(await newestMail(page, `% of the charging budget of ${group} is spent`)).toContain(people.vestkyst)
  expect(here.isFree(1)).toBe(false)

  here.pass(240)
  await expect.poll(() => here.isFree(1), { timeout: countedMs }).toBe(true)
  await page.reload()
  await expect(row(page, group)).toContainText('Spent')
  expect(await newestMail(page, `Charging budget of ${group} is spent`)).toContain(people.vestkyst)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog', { name: /^Notifications/ })).toContainText(
    `Charging budget of ${group} is spent`,
  )
  await page.keyboard.press('Escape')
  expect(await here.isWelcome(tag)).toBe(false)
  await expectClean(page)

  await page.getByRole('button', { name: `Edit ${group}` }).click()
  await setBudget('100', 'Save changes')
  expect(await here.isWelcome(tag)).toBe(true)

  const reader = await (await browser.newContext()).newPage()
  await signIn(reader, people.vestkystAuditor, page.url())
  await expect(row(reader, group)).toContainText('100,0 kWh')
  for (const tool of ['Create group', `Edit ${group}`, `Delete ${group}`])
    await expect(reader.getByRole('button', { name: tool })).toHaveCount(0)
  await reader.context().close()
})

test('a site: its charger receives the limit and a manual limit with its reason, and keeps it; then it is ended', async ({
  page,
  demo,
}) => {
  test.setTimeout(4 * countedMs)
  const [site, tag] = [`Gård ${Date.now() % 1_000_000}`, `S${Date.now()}`]
  await signIn(page, people.vestkyst, '/cfm/tools')
  await addTag(page, tag)
  charger = await addCharger(page, demo, `Kran ved ${site}`)
  const here = charger
  await page.goto('/cfm/tools?tab=sites')
  await page.getByRole('button', { name: 'Create site' }).click()
  await fill(page, 'Name', site)
  await fill(page, 'Limit', '20')
  await fill(page, 'Without contact', '6')
  await choose(page, 'Chargers', `Kran ved ${site}`)
  await page.keyboard.press('Escape')
  await press(page, 'Create site')
  await expect(page.getByText(m.siteSaved)).toBeVisible()
  await page.getByRole('button', { name: site, exact: true }).click()
  const connector = page.getByRole('table', { name: 'Connectors' }).getByRole('row', { name: /^Kran ved/ })
  await expect(connector).toContainText('No session', { timeout: countedMs })
  expect(await here.plugIn(1, tag)).toBe(true)
  await expect(connector).toContainText('Charging', { timeout: countedMs })
  await expect(connector).toContainText('20 A', { timeout: countedMs })

  await connector.getByRole('button', { name: /^Manual limit/ }).click()
  await fill(page, 'At most', '8')
  await fill(page, 'Duration of the limit', '2')
  await press(page, 'Set limit')
  await expect(dialog(page).getByText(m.required)).toBeVisible()
  await fill(page, 'Reason', 'Kranen skal løfte')
  await press(page, 'Set limit')
  await expect(page.getByText(m.handLimitSet)).toBeVisible()
  await expect(connector).toContainText('At most 8 A set manually until')
  await expect(connector).toContainText('Kranen skal løfte · Lone Krogh')
  await expect(async () => {
    here.pass(10)
    await expect(connector.locator('td').nth(6)).toHaveText('5,5', { timeout: 5000 })
  }).toPass({ timeout: countedMs })
  await expectClean(page)
  await connector.getByRole('button', { name: /^End the limit/ }).click()
  await expect(page.getByText(m.handLimitEnded)).toBeVisible()
  await expect(connector).toContainText('20 A', { timeout: countedMs })
})
