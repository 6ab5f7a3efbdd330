import { expect, type Page } from '@playwright/test'
import { connectAsync } from 'mqtt'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { type Demo, test } from '../support/test.ts'

const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const edge = ({ mqttPort }: Demo) =>
  connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    username: 'edge-lab',
    password: 'gridmast-demo',
    protocolVersion: 4,
    reconnectPeriod: 0,
  })

test('the frequency chart shows the last 30 minutes, its limit lines, and the last report moving on', async ({
  page,
}) => {
  await signIn(page, people.sudoer)
  const frequency = card(page, 'Frequency (Hz)')
  await expect(frequency.getByText('Last 30 minutes')).toBeVisible()
  await expect(frequency.getByText('DK2 · Norden')).toBeVisible()
  const reported = frequency.getByText(/Last Reported: \d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d/)
  await expect(reported).toBeVisible()
  const before = await reported.textContent()
  await expect(reported).not.toHaveText(before ?? '')
  await frequency.getByRole('button', { name: 'Show as table' }).click()
  await expect(frequency.getByRole('cell', { name: /^(49|50),\d+/ }).first()).toBeVisible()

  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.reload()
  await expect(reported).toBeVisible()
  // The requests of `prefetch-home.ts` are those of the cards: none is sent twice.
  const calls = asked.filter((url) => /\/api\/(user\/verify|client\/data\/(frequency|powercapacity|revenue))/.test(url))
  expect(calls.length).toBeGreaterThan(3)
  expect(calls.filter((url, at) => calls.indexOf(url) !== at)).toEqual([])
})

test('home is live before the schemas of other pages have loaded', async ({ page }) => {
  await signIn(page, people.sudoer)
  const mistakes: string[] = []
  page.on('pageerror', (error) => mistakes.push(String(error)))
  const held: string[] = []
  await page.route('**/assets/schemas-*.js', (route) => void held.push(route.request().url()))
  await page.reload()
  const reported = card(page, 'Frequency (Hz)').getByText(/Last Reported: \d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d/)
  await expect(reported).toBeVisible()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const before = await reported.textContent()
  await expect(reported).not.toHaveText(before ?? '')
  expect(mistakes).toEqual([])
})

test('power capacity of FCR-D-INC and the day-ahead prices of the day are shown, prices marked as simulated', async ({
  page,
}) => {
  await signIn(page, people.sudoer)
  await expect(card(page, 'FCR-D-INC Power capacity').getByText(/Last Reported: /)).toBeVisible()
  const cost = card(page, /Power cost/)
  await expect(cost.getByText('Simulated')).toBeVisible()
  await cost.getByRole('button', { name: 'Show as table' }).click()
  await expect(cost.getByRole('row')).toHaveCount(await hoursToday())
})

/** Rows of today's table: a header and the hours of the local day. */
const hoursToday = async () => {
  const { dayBounds, today } = await import('@gridmast/contract/time.ts')
  const { fromMs, toMs } = dayBounds(today(Date.now()))
  return 1 + (toMs - fromMs) / 3_600_000
}

test('telemetry of a customer, sent by any MQTT client as edge-lab, is shown live in the portal', async ({
  page,
  demo,
}) => {
  await signIn(page, people.sudoer)
  await page.getByRole('button', { name: 'Choose an instance', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lab' }).click()
  const chart = card(page, /^Lab/)
  await expect(chart).toBeVisible()
  const client = await edge(demo)
  // Later samples of another journey would be newer, so the message is repeated.
  await expect(async () => {
    const message = { v: 1, seq: 1, t0: new Date().toISOString(), dtMs: 1000, f: [50.01], p: [123.4] }
    await client.publishAsync('gm/v1/edge-lab/telemetry/lab', JSON.stringify(message), { qos: 1 })
    await expect(chart.getByText('123,4').first()).toBeVisible({ timeout: 3000 })
  }).toPass()
  await client.endAsync()
})

test('the revenue of the month links to its settlements', async ({ page }) => {
  await signIn(page, people.sudoer)
  await card(page, /^Revenue/)
    .getByRole('link', { name: 'Revenue' })
    .click()
  await expect(page).toHaveURL(/\/eConomics$/)
  await expect(page.getByRole('region', { name: 'Summary' })).toBeVisible()
})

test('R1 a custom user without nordPool has no power cost on the page', async ({ page }) => {
  await signIn(page, people.custom)
  await expect(card(page, 'Frequency (Hz)')).toBeVisible()
  await expect(card(page, /Power cost/)).toHaveCount(0)
})

test('the clock of the top bar shows Danish time and ticks', async ({ page }) => {
  await signIn(page, people.sudoer)
  const clock = page.getByRole('timer', { name: 'Time in Denmark' })
  await expect(clock).toHaveText(/^\d\d:\d\d:\d\d CES?T$/)
  const before = await clock.textContent()
  await expect(clock).not.toHaveText(before ?? '', { timeout: 3000 })
})

for (const look of looks)
  test(`axe finds nothing on sign-in and home, ${look.colorScheme}, ${look.width} wide`, async ({ page }) => {
    await useLook(page, look)
    await page.goto('/auth/login')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expectClean(page)
    await signIn(page, people.sudoer)
    await expect(card(page, 'Frequency (Hz)').getByText(/Last Reported/)).toBeVisible()
    await expectClean(page)
  })
