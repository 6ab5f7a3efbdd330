import { expect, type Page } from '@playwright/test'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { connectAsync, type MqttClient } from 'mqtt'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { downloadBy } from '../support/downloads.ts'
import { people, signIn } from '../support/people.ts'
import { type Demo, test } from '../support/test.ts'

const market = '/demandResponse/FCR-D-INC'
const capacityKw = 100
const baseKw = 80

const edge = ({ mqttPort }: Demo) =>
  connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    username: 'edge-lab',
    password: 'gridmast-demo',
    protocolVersion: 4,
    reconnectPeriod: 0,
  })

type Sample = { hz: number | null; kw: number | null }

const publish = async (client: MqttClient, fromMs: number, samples: readonly Sample[]) => {
  for (let first = 0; first < samples.length; first += 60) {
    const part = samples.slice(first, first + 60)
    const t0Ms = fromMs + first * 1000
    const message = { v: 1, seq: t0Ms / 1000, t0: new Date(t0Ms).toISOString(), dtMs: 1000 }
    const values = { f: part.map(({ hz }) => hz), p: part.map(({ kw }) => kw) }
    await client.publishAsync('gm/v1/edge-lab/telemetry/lab', JSON.stringify({ ...message, ...values }), { qos: 1 })
  }
}

/** From 50 to 49.62 Hz in 6 s, 20 s there, back in 10 s: below 49.9 Hz from the second second on, 70 % activated at most. */
const hzAt = (second: number): number => {
  if (second < 0 || second > 36) return 50
  if (second < 6) return 50 - (0.38 * second) / 6
  return second <= 26 ? 49.62 : 49.62 + (0.38 * (second - 26)) / 10
}
const answered = (hz: number, share: number): Sample => ({
  hz,
  kw: baseKw - share * capacityKw * Math.max(0, (49.9 - hz) / 0.4),
})
const nothing: Sample = { hz: null, kw: null }

/** Ten minutes with an activation every two: delivered in full, by four fifths, not at all, and with nine seconds without samples. */
const dips = [
  { atS: 90, share: 1 },
  { atS: 210, share: 0.8 },
  { atS: 330, share: 0 },
  { atS: 450, share: 1, silentFromS: 12 },
]
const historyS = 580
const history = (): Sample[] =>
  Array.from({ length: historyS }, (_, second) => {
    const dip = dips.find(({ atS }) => second >= atS && second < atS + 60)
    const since = second - (dip?.atS ?? 0)
    if (dip?.silentFromS !== undefined && since >= dip.silentFromS && since < dip.silentFromS + 9) return nothing
    return answered(dip ? hzAt(since) : 50, dip?.share ?? 1)
  })

let startedAt: string[] = []

test.beforeAll(async ({ demo }) => {
  const fromMs = Math.floor(Date.now() / 1000) * 1000 - historyS * 1000
  startedAt = dips.map(({ atS }) => formatDateTime(fromMs + (atS + 2) * 1000))
  const client = await edge(demo)
  await publish(client, fromMs, history())
  await client.endAsync()
})

const rowOf = (page: Page, n: number) => page.getByRole('row').filter({ hasText: startedAt[n] ?? 'never' })
const groups = (page: Page) => page.getByRole('navigation', { name: 'Group' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

const openLab = async (page: Page, email: string) => {
  await signIn(page, email, market)
  await groups(page).getByRole('button', { name: /^Lab/ }).click()
  await expect(page.getByRole('heading', { name: /^Activation Events \(Lab\)/ })).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(rowOf(page, dips.length - 1)).toBeVisible({ timeout: 3000 })
  }).toPass()
}

for (const role of ['sudoer', 'expert', 'auditor', 'custom'] as const)
  test(`R1 a ${role} sees each activation that telemetry proves, its requested power and its delivery`, async ({
    page,
  }) => {
    await openLab(page, people[role])
    const said = ['Delivered 100,0', /^Partly delivered (8[89]|9[01]),\d$/, 'Not delivered 0,0', '– Insufficient data']
    for (const [n, score] of said.entries()) {
      const cells = rowOf(page, n).locator('td')
      await expect(cells.nth(2)).toHaveText('Increased')
      await expect(cells.nth(3)).toContainText('70')
      await expect(cells.nth(4)).toHaveText('49,62')
      await expect(cells.nth(5)).toHaveText('00:00:32')
      await expect(cells.nth(6)).toContainText('Estimated Consumption')
      await expect(cells.nth(7)).toHaveText(score)
    }
  })

test('T1 another company sees no event', async ({ page, demo }) => {
  await signIn(page, people.vestkyst, '/')
  const token = await page.evaluate(() => localStorage.getItem('GM_TOKEN'))
  const answer = await page.request.get(`${demo.url}/api/client/data/event`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { events: { instanceName: string }[] } } // the shape is checked by the contract's tests
  expect(data.events.filter(({ instanceName }) => instanceName === 'Lab')).toEqual([])
})

test('submitted filters are in the address, stay after a reload, and are cleared by another tab', async ({ page }) => {
  await openLab(page, people.sudoer)
  await page.getByRole('combobox', { name: 'Percentage' }).click()
  await page.getByRole('option', { name: 'From 60 %' }).click()
  await page.getByRole('combobox', { name: 'Duration' }).click()
  await page.getByRole('option', { name: 'Under 1 min' }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/deltaLoad=60/)
  await expect(page).toHaveURL(/duration=under-1/)
  await page.reload()
  await expect(rowOf(page, 0)).toBeVisible()
  await page.getByRole('combobox', { name: 'Percentage' }).click()
  await page.getByRole('option', { name: 'From 80 %', exact: true }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('No Records To Display')).toBeVisible()
  await page.getByRole('tab', { name: 'Market' }).click()
  await expect(page).toHaveURL(/\?tab=market$/)
  await page.goBack()
  await expect(page).toHaveURL(/deltaLoad=80/)
})

test('the data log by keyboard: the score with its parts, both charts, the measured values; the focus returns', async ({
  page,
}) => {
  await openLab(page, people.auditor)
  const button = rowOf(page, 1).getByRole('button', { name: /^Data Log/ })
  await button.press('Enter')
  const log = dialog(page, 'Data Log')
  const score = log.getByRole('region', { name: 'Delivery score' })
  await expect(score).toContainText('Partly delivered')
  await expect(score).toContainText('Delivered share of the required energy.')
  await expect(score).toContainText('no seconds missing')
  await expect(log.getByText('Capacity 100,0 kW, registered as flexible')).toBeVisible()
  const response = log.getByRole('region', { name: 'Required and delivered (kW)' })
  await response.getByRole('button', { name: /^Tools of/ }).click()
  await page.getByRole('menuitem', { name: 'Show as table' }).click()
  await expect(response.getByRole('cell', { name: '70,0' }).first()).toBeVisible()
  await log.getByRole('radio', { name: 'Measured power' }).check()
  const power = log.getByRole('region', { name: 'Power (kW)' })
  await expect(power.getByRole('cell', { name: '80,0' }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(log).toBeHidden()
  await expect(button).toBeFocused()
})

test('seconds without a measurement are not scored: the log shows how many are missing', async ({ page }) => {
  await openLab(page, people.sudoer)
  await rowOf(page, 3)
    .getByRole('button', { name: /^Data Log/ })
    .click()
  const score = dialog(page, 'Data Log').getByRole('region', { name: 'Delivery score' })
  await expect(score).toContainText('Delivery scoreInsufficient data–')
  await expect(score).toContainText(/\d+,\d % of the seconds missing/)
})

const files: [string, (page: Page) => Promise<void>][] = [
  ['all events', (page) => page.getByRole('button', { name: 'Export', exact: true }).click()],
  [
    'one event',
    (page) =>
      rowOf(page, 0)
        .getByRole('button', { name: /^Download event/ })
        .click(),
  ],
]
for (const [name, open] of files)
  test(`${name} as Excel and as CSV`, async ({ page }) => {
    await openLab(page, people.auditor)
    for (const [item, ending] of [
      ['Download Excel', /\.xlsx$/],
      ['Download CSV', /\.csv$/],
    ] as const) {
      await open(page)
      const file = await downloadBy(page, () => page.getByRole('menuitem', { name: item }).click())
      expect(file.suggestedFilename()).toMatch(ending)
    }
  })

test('a control sheet of a day is downloaded as an Excel file', async ({ page }) => {
  await openLab(page, people.sudoer)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Control sheet' }).click()
  const sheet = dialog(page, 'Control sheet')
  await expect(sheet.getByRole('combobox', { name: 'Instance' })).toHaveValue('Lab')
  const file = await downloadBy(page, () => sheet.getByRole('button', { name: 'Download' }).click())
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
})

test('home and the market show a running activation each second; it ends without a reload and is listed in the table', async ({
  page,
  demo,
}) => {
  const client = await edge(demo)
  let nextMs = Math.floor(Date.now() / 1000) * 1000 - 65_000
  const upTo = async (toMs: number, hz: number) => {
    const samples = Array.from({ length: Math.max(0, (toMs - nextMs) / 1000) }, () => answered(hz, 1))
    await publish(client, nextMs, samples)
    nextMs += samples.length * 1000
  }
  const second = () => Math.floor(Date.now() / 1000) * 1000
  await upTo(second(), 50)
  const startedMs = nextMs
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      await upTo(second() + 1000, 49.7)
      await page.waitForTimeout(500)
    }
  })()
  // Other activations of the demo may run at the same time.
  const banner = page.getByRole('region', { name: 'Activation in progress' })
  const lab = banner.getByRole('listitem').filter({ hasText: 'Lab' })
  await signIn(page, people.sudoer)
  await expect(lab.getByText('Required 50,0 kW')).toBeVisible()
  await expect(lab.getByText(/^Delivered (4\d|50),\d kW$/)).toBeVisible()
  const duration = lab.getByText(/^Duration/)
  const before = await duration.textContent()
  await expect(duration).not.toHaveText(before ?? '')
  await expectClean(page)
  await lab.getByRole('link', { name: 'FCR-D-INC · Lab' }).click()
  await expect(page.getByRole('heading', { name: /^Activation Events \(Lab\)/ })).toBeVisible()
  await expect(lab.getByText('Required 50,0 kW')).toBeVisible()
  isOver = true
  await running
  await upTo(nextMs + 65_000, 50)
  await client.endAsync()
  await expect(lab).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: formatDateTime(startedMs) })
  await expect(row.getByText('Delivered')).toHaveCount(1)
  await expect(row.getByText('Running')).toHaveCount(0)
})

test('home lists the newest activations of FCR markets; a switch shows FRR Markets and is in the address', async ({
  page,
}) => {
  await signIn(page, people.sudoer)
  const events = page.getByRole('region', { name: 'Events' })
  await expect(events.getByRole('link', { name: 'FCR-D-INC' }).first()).toBeVisible()
  await events.getByText('FRR Markets').click()
  await expect(page).toHaveURL(/events=frr_based/)
  await expect(events.getByRole('columnheader', { name: 'Max Setpoint' })).toBeVisible()
})

for (const look of looks)
  test(`axe finds nothing, with each dialog open, ${look.colorScheme} ${look.width}`, async ({ page }) => {
    await openLab(page, people.sudoer)
    await useLook(page, look)
    await page.goto(market)
    await expect(page.getByRole('heading', { name: /^Activation Events \(All instances\)/ })).toBeVisible()
    const escape = async () => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    const dataLog = page.getByRole('button', { name: /^Data Log/ }).first()
    await expect(dataLog).toBeVisible()
    await expectClean(page)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Control sheet' }).click()
    await expect(dialog(page, 'Control sheet')).toBeVisible()
    await expectClean(page)
    await escape()
    await page.getByRole('button', { name: 'Columns of the table' }).click()
    await expect(dialog(page, 'Columns of the table')).toBeVisible()
    await expectClean(page)
    await escape()
    await page
      .getByRole('button', { name: /^Command Log/ })
      .first()
      .click()
    await expect(dialog(page, 'Command Log')).toBeVisible()
    await expectClean(page)
    await escape()
    await dataLog.click()
    await expect(page.getByRole('region', { name: 'Delivery score' })).toContainText('Score =')
    await expectClean(page)
  })
