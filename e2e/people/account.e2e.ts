import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn, signInByForm } from '../support/people.ts'
import { test } from '../support/test.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const toast = (page: Page, text: string) => expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible()
const dialog = (page: Page) => page.getByRole('dialog')

type Received = { headers: IncomingHttpHeaders; body: string }

const receiver = async () => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server on a port has an address with a port
  return { url: `http://127.0.0.1:${port}/hook`, received, close: () => server.close() }
}

test('a profile is edited with a picture; the header, the saved account and the next visit show it', async ({
  page,
}) => {
  await signInByForm(page, people.expert)
  await page.goto('/profile')
  const name = page.getByLabel('Name')
  const before = await name.inputValue()
  await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: pixel })
  await expect(page.getByText('Please select a valid image format')).toBeVisible()
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: pixel })
  await expect(page.getByRole('group', { name: 'Picture' }).locator('img')).toBeVisible()
  await name.fill('Freja Expert')
  await page.getByRole('combobox', { name: 'Country code' }).fill('swed')
  await page.getByRole('option', { name: 'Sweden +46' }).click()
  await page.getByLabel('Contact').fill('70 123 45 67')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast(page, 'Profile updated successfully!')
  const avatar = page.getByRole('button', { name: /profile menu/i }).locator('img')
  await expect(avatar).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('GM_USERS'))).toContain('Freja Expert')
  await page.reload()
  await expect(name).toHaveValue('Freja Expert')
  await expect(page.getByRole('combobox', { name: 'Country code' })).toHaveValue('Sweden +46')
  await expect(avatar).toBeVisible()

  await page.getByRole('button', { name: 'Remove' }).click()
  await name.fill(before)
  await page.getByRole('link', { name: 'E3 Dashboard' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(avatar).toHaveCount(0)
})

test('the company profile is edited, and is the same after a reload', async ({ page }) => {
  await signIn(page, people.sudoer, '/company')
  const name = page.getByLabel('Primary contact name')
  const before = await name.inputValue()
  await name.fill('Mo')
  await page.getByLabel('Billing email').fill('faktura')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Must be at least 3 characters')).toBeVisible()
  await expect(page.getByText('invalid email')).toBeVisible()
  await name.fill('Kim Holm')
  await page.getByLabel('Billing email').fill('faktura@nordhavn.example')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast(page, 'Company profile updated!')
  await page.reload()
  await expect(name).toHaveValue('Kim Holm')
  await name.fill(before)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast(page, 'Company profile updated!')
})

test('T1 an auditor sees disabled forms, no API keys and no webhooks', async ({ page }) => {
  await signIn(page, people.auditor, '/profile')
  await expect(page.getByLabel('Name')).toBeDisabled()
  await expect(page.getByText(/Only Sudoer and Expert users can edit profiles/)).toBeVisible()
  await page.goto('/company')
  await expect(page.getByLabel('Billing email')).toBeDisabled()
  await expect(page.getByRole('switch')).toHaveCount(0)
  for (const path of ['/apiKeys', '/webhooks']) {
    await page.goto(path)
    await expect(page.getByText('Oops! You are not authorized to access this!')).toBeVisible()
  }
  await page.goto('/audit')
  await expect(page.getByRole('table', { name: 'Audit trail' })).toBeVisible()
})

test('an API key is created, reads only what its scopes allow, and stops working when it is revoked', async ({
  page,
}) => {
  await signIn(page, people.sudoer, '/apiKeys')
  await page.getByRole('button', { name: 'New key' }).click()
  await dialog(page).getByLabel('Name').fill('Journey')
  await dialog(page)
    .getByRole('checkbox', { name: /^System/ })
    .check()
  await dialog(page).getByLabel('Current password').fill('gridmast-demo')
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  const key = await dialog(page).locator('code').first().innerText()
  const ask = async (path: string) => {
    const answer = await page.request.get(path, { headers: { authorization: `Bearer ${key}` } })
    return answer.status()
  }
  const curl = await dialog(page).locator('pre').innerText()
  expect(curl).not.toContain(key)
  const example = /https?:[^\s'"]+/.exec(curl)?.[0] ?? ''
  expect(await ask(example)).toBe(200)
  expect(await ask('/api/user/profile')).toBe(403)
  await dialog(page).getByLabel('I have saved it').check()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await page.content()).not.toContain(key)
  await page.getByRole('button', { name: 'Revoke Journey' }).click()
  await dialog(page).getByRole('button', { name: 'Revoke' }).click()
  await toast(page, 'API key revoked')
  await expect(page.getByRole('row', { name: /Journey/ })).toHaveCount(0)
  await expect.poll(() => ask(example)).toBe(401)
})

test('a webhook test arrives signed as the help describes, is listed as delivered, and is on the audit trail', async ({
  page,
}) => {
  const hook = await receiver()
  await signIn(page, people.sudoer, '/webhooks')
  const help = await page.getByRole('region', { name: 'Example in Node' }).innerText()
  await page.getByRole('button', { name: 'New webhook' }).click()
  await dialog(page).getByLabel('Name').fill('Journey')
  await dialog(page).getByLabel('URL').fill(hook.url)
  await dialog(page)
    .getByRole('checkbox', { name: /^Alert/ })
    .check()
  await dialog(page).getByRole('button', { name: 'Add webhook' }).click()
  const secret = await dialog(page).locator('code').first().innerText()
  await dialog(page).getByLabel('I have saved it').check()
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Actions for Journey' }).click()
  await page.getByRole('menuitem', { name: 'Alert' }).click()
  const line = page.getByRole('dialog', { name: 'Deliveries of Journey' }).getByRole('row', { name: /^Alert Test/ })
  await expect(line).toContainText('Delivered')
  await expect(line).toContainText('HTTP 204')
  await line.getByRole('button').click()
  await expect(page.getByRole('region', { name: 'Payload' })).toContainText('"test": true')
  // A real alert may come first.
  const received = hook.received.find(({ body }) => JSON.parse(body).test === true)
  hook.close()
  expect(JSON.parse(received?.body ?? '{}')).toMatchObject({ type: 'alert', test: true })
  const example: { isGenuine: (headers: IncomingHttpHeaders, body: string, secret: string) => boolean } = await import(
    `data:text/javascript,${encodeURIComponent(help)}`
  )
  expect(example.isGenuine(received?.headers ?? {}, received?.body ?? '', secret)).toBe(true)
  expect(example.isGenuine(received?.headers ?? {}, `${received?.body} `, secret)).toBe(false)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Actions for Journey' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await toast(page, 'Webhook removed')

  await page.goto('/audit?action=webhook')
  for (const action of ['Added a webhook', 'Sent a test to a webhook', 'Removed a webhook'])
    await expect(page.getByRole('row', { name: new RegExp(`${action}.*Journey`) }).first()).toBeVisible()
  expect(await page.content()).not.toContain(secret)
  await page
    .getByRole('button', { name: /Added a webhook/ })
    .first()
    .click()
  await expect(dialog(page).getByRole('row', { name: /Events.*alert/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText(/^The trail is intact: [\d.]+ entries\.$/)).toBeVisible()
})

test('the audit trail of the filtered days is downloaded', async ({ page }) => {
  await signIn(page, people.auditor, '/audit?action=auth')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await downloadBy(page, () => page.getByRole('menuitem', { name: 'Download CSV' }).click())
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
})

test('a session in another browser is signed out from the list, and is back at sign-in', async ({ page, browser }) => {
  const elsewhere = await browser.newContext({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Firefox/144.0' })
  const other = await elsewhere.newPage()
  await signIn(other, people.custom)
  await signIn(page, people.custom, '/security')
  await expect(page.getByRole('row').filter({ hasText: 'This session' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Sign out Firefox on Linux' }).click()
  await dialog(page).getByRole('button', { name: 'Sign out' }).click()
  await toast(page, 'The session has ended')
  await expect(page.getByRole('row').filter({ hasText: 'Firefox on Linux' })).toHaveCount(0)
  await other.reload()
  await expect(other).toHaveURL(/\/auth\/login$/)
  await elsewhere.close()
})

for (const look of looks)
  test(`axe finds nothing on the account screens, ${look.colorScheme}, ${look.width} px`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, '/profile')
    for (const path of ['/profile', '/company', '/security', '/apiKeys', '/webhooks', '/audit']) {
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await expectClean(page)
    }
  })
